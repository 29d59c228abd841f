// The left column: the people one plays as, and the places with their unread marks.

import { post } from "./api.js";
import { asked } from "./asks.js";
import { $, avatar, fill, h } from "./dom.js";
import { toEnd } from "./messages.js";
import { attempt, dialog } from "./overlay.js";
import { loadPeople, on, openPlace, placeOf, playAs, state } from "./state.js";

const narrow = matchMedia("(max-width: 760px)");

function badge(count, label) {
  return count > 0 && h("span", { class: "badge", "aria-label": `${count} ${label}` }, count > 99 ? "99+" : count);
}

function people() {
  const waiting = new Set(asked().map((a) => a.person));
  const rows = state.people.map((p) => {
    const me = p.id === state.me?.id;
    const calls = me ? 0 : (state.attention[p.id]?.mentions ?? 0);
    return h(
      "button",
      {
        type: "button",
        role: "radio",
        "aria-checked": String(me),
        class: `person${me ? " me" : ""}`,
        data: { person: p.username },
        title: `Play as ${p.name}`,
        onclick: () => attempt(() => playAs(p.id)),
      },
      h(
        "span",
        { class: "face" },
        avatar(p),
        waiting.has(p.id) && h("span", { class: "turn", title: "is asked" }, h("span", { class: "sr" }, "is asked")),
        badge(calls, "unread pings"),
      ),
      h("span", { class: "name" }, p.name),
    );
  });
  const add = h("button", { type: "button", class: "person add", onclick: invite, title: "One more person" }, h("span", { class: "sign" }, "+"), h("span", { class: "name" }, "Add"));
  fill($("people"), h("h2", {}, "You play as"), h("div", { class: "list", role: "radiogroup", "aria-label": "You play as" }, rows, add));
}

/** Ask for a name, and play as that new person. */
function invite() {
  const name = h("input", { id: "new-name", required: true, minlength: 1, maxlength: 32, autocomplete: "off" });
  const submit = (event) => {
    event.preventDefault();
    close();
    attempt(async () => {
      const made = await post("people", { name: name.value.trim() });
      await loadPeople();
      await playAs(made.id);
    });
  };
  const close = dialog(
    "One more person",
    h("form", { onsubmit: submit }, [
      h("h2", {}, "One more person"),
      h("div", { class: "field" }, h("label", { for: "new-name" }, "Name"), name),
      h("div", { class: "row end" }, h("button", { class: "btn secondary", type: "button", onclick: () => close() }, "Cancel"), h("button", { class: "btn primary" }, "Add")),
    ]),
  );
  name.focus();
}

function place(p, { thread = false } = {}) {
  const open = p.id === state.place;
  const here = asked().some((a) => a.channel === p.id && a.person === state.me?.id);
  const count = open ? 0 : p.mentions || (p.type === 1 ? p.unread : 0);
  return h(
    "button",
    {
      type: "button",
      class: ["place", thread && "sub", open && "open", !open && p.unread > 0 && "unread", p.archived && "archived"].filter(Boolean).join(" "),
      "aria-current": open ? "page" : undefined,
      data: { place: p.id, kind: p.type },
      onclick: () => {
        drawer(false);
        attempt(() => openPlace(p.id));
      },
    },
    h("span", { class: "sign", "aria-hidden": "true" }, p.type === 1 ? "✉" : thread ? "↳" : "#"),
    h("span", { class: "name" }, p.name),
    !open && p.unread > 0 && h("span", { class: "sr" }, "unread"),
    here && h("span", { class: "turn", title: "You are asked" }, h("span", { class: "sr" }, "you are asked")),
    badge(count, "unread"),
  );
}

function places() {
  const shown = [];
  for (const c of state.channels) {
    if (c.type === 4) {
      shown.push(h("h2", {}, c.name));
      continue;
    }
    const live = c.threads.filter((t) => !t.archived || t.id === state.place);
    shown.push(place(c), live.map((t) => place(t, { thread: true })));
    const old = c.threads.filter((t) => t.archived && t.id !== state.place);
    if (old.length) shown.push(h("details", {}, h("summary", {}, `${old.length} closed`), old.map((t) => place(t, { thread: true }))));
  }
  const direct = state.dms.length
    ? state.dms.map((d) => place(d))
    : h("p", { class: "hint" }, "None yet. The bot sends hands here.");
  fill($("places"), shown, h("h2", {}, "Direct messages"), direct);
}

function head() {
  const p = placeOf(state.place);
  fill($("title"), p ? `${p.type === 1 ? "✉ " : "# "}${p.name}` : "");
  $("topic").textContent = p?.topic ?? "";
  fill($("whoami"), state.me && [avatar(state.me, { small: true }), h("span", {}, state.me.name)]);
  $("whoami").setAttribute("aria-label", `You play as ${state.me?.name}. Change`);
  const elsewhere = state.people.some((q) => q.id !== state.me?.id && state.attention[q.id]?.mentions > 0);
  const unread = [...state.dms, ...state.channels.flatMap((c) => c.threads)].some((q) => q.id !== state.place && q.mentions > 0);
  $("drawer").classList.toggle("news", unread || elsewhere);
  document.title = p ? `${p.name} · ${state.guild.name}` : "The table: sandbox";
  if (p) history.replaceState(null, "", `/channels/${p.type === 1 ? "@me" : state.guild.id}/${p.id}`);
}

/** Open or close the left column where it is a drawer. */
export function drawer(open) {
  if (!narrow.matches && open) return;
  document.body.classList.toggle("drawer", open);
  $("veil").hidden = !open;
  $("drawer").setAttribute("aria-expanded", String(open));
  $("side").inert = narrow.matches && !open;
  if (open) requestAnimationFrame(() => $("side").querySelector("[aria-checked=true]")?.focus());
}

export function startSidebar() {
  on("people", people);
  on("people", head);
  on("asks", people);
  on("asks", places);
  on("places", places);
  on("places", head);
  on("place", places);
  on("place", head);
  $("drawer").addEventListener("click", () => drawer(!document.body.classList.contains("drawer")));
  $("whoami").addEventListener("click", () => {
    drawer(true);
    $("people").querySelector("[aria-checked=true]")?.focus();
  });
  document.addEventListener("keydown", (event) => event.key === "Escape" && drawer(false));
  $("veil").addEventListener("click", () => drawer(false));
  narrow.addEventListener("change", () => drawer(false));
  drawer(false);
  on("place", () => drawer(false));
  on("loaded", toEnd);
}
