// The bar that says whose turn it is, and leads there.

import { asked, question } from "./asks.js";
import { $, avatar, fill, h, soon } from "./dom.js";
import { jump } from "./messages.js";
import { attempt } from "./overlay.js";
import { on, openPlace, placeOf, playAs, state, walk } from "./state.js";

const MOST = 3;

/** The private panel that puts the same question, where one is open; else the message itself. */
function panelOf(ask) {
  const message = state.messages.get(ask.message);
  const ids = (m) => [...walk(m.components)].filter((c) => c.custom_id && !c.disabled).map((c) => question(c.custom_id));
  const wanted = new Set(message ? ids(message) : []);
  const panels = [...state.messages.values()].filter((m) => m.ephemeral && m.id > ask.message && ids(m).some((id) => wanted.has(id)));
  return panels.map((m) => m.id).findLast((id) => document.querySelector(`[data-id="${CSS.escape(id)}"]`)) ?? ask.message;
}

async function go(ask) {
  await attempt(async () => {
    if (ask.person !== state.me.id) await playAs(ask.person, ask.channel);
    if (ask.channel !== state.place) await openPlace(ask.channel);
    jump(panelOf(ask));
  });
}

function draw() {
  const all = asked().filter((a) => state.people.some((p) => p.id === a.person));
  const own = all.filter((a) => a.person === state.me?.id);
  const bar = $("asked");
  if (own.length) {
    const ask = own.find((a) => a.channel === state.place) ?? own[0];
    const here = ask.channel === state.place;
    fill(
      bar,
      h("span", { class: "turn", "aria-hidden": "true" }),
      h("span", {}, here ? `${state.me.name}, you are asked.` : `You are asked in #${placeOf(ask.channel).name}.`),
      h("button", { class: "btn primary", type: "button", onclick: () => go(ask) }, here ? "Show me" : "Go there"),
    );
  } else if (all.length) {
    const ask = all.find((a) => a.channel === state.place) ?? all[0];
    const here = all.filter((a) => a.channel === ask.channel).slice(0, MOST);
    const who = here.map((a) => state.people.find((p) => p.id === a.person));
    const where = ask.channel === state.place ? "" : ` in #${placeOf(ask.channel).name}`;
    fill(
      bar,
      h("span", {}, who.length === 1 ? `It is ${who[0].name}’s turn${where}.` : `${who.map((p) => p.name).join(", ")} are asked${where}.`),
      who.map((p, n) =>
        h("button", { class: "btn secondary", type: "button", data: { playAs: p.username }, onclick: () => go(here[n]) }, avatar(p, { small: true }), `Play as ${p.name}`),
      ),
    );
  } else fill(bar);
  bar.classList.toggle("mine", own.length > 0);
  if (!state.up) bar.prepend(h("span", { class: "lost" }, "Reconnecting…"));
}

const later = soon(draw, 60);

export function startAsked() {
  for (const what of ["asks", "people", "places", "place", "up"]) on(what, later);
}
