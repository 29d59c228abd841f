// Buttons, menus and Components V2 as elements.

import { answeredHere } from "./asks.js";
import { h, safeUrl } from "./dom.js";
import { listbox } from "./listbox.js";
import { attempt, enlarge } from "./overlay.js";
import { rich } from "./rich.js";
import { mine, openPlace, placeOf, places, state, userName } from "./state.js";

const STYLES = { 1: "primary", 2: "secondary", 3: "success", 4: "danger", 5: "link", 6: "primary" };
const SELECT_NOUN = { 3: "Choose", 5: "Choose people", 6: "Choose roles", 7: "Choose people or roles", 8: "Choose channels" };

export const failed = new Map(); // message id -> when an interaction on it failed
const busy = new Set(); // "message custom_id" of what was pressed and is not acknowledged yet
const drafts = new Map(); // the same -> values picked, not sent yet

let redraw = () => {};
/** How a message is drawn again when one of its parts changed. */
export const setRedraw = (run) => {
  redraw = run;
};

/** What markdown needs to know to name people and channels. */
export const names = {
  user: userName,
  channel: (id) => placeOf(id)?.name ?? null,
  open: (id) => attempt(() => openPlace(id)),
  command: (path) => document.dispatchEvent(new CustomEvent("slash", { detail: path })),
  get me() {
    return state.me?.id;
  },
};

async function interact(message, action, body) {
  const key = `${message.id} ${body.custom_id}`;
  if (busy.has(key)) return;
  busy.add(key);
  failed.delete(message.id);
  redraw(message.id);
  const outcome = await attempt(() => mine().act(action, { message_id: message.id, ...body }));
  busy.delete(key);
  drafts.delete(key);
  if (outcome && !outcome.ack) {
    failed.set(message.id, Date.now());
    setTimeout(() => failed.delete(message.id) && redraw(message.id), 10000);
  }
  redraw(message.id);
  if (outcome?.ack && message.ephemeral) answeredHere(body.custom_id);
}

function button(c, message) {
  const label = [c.emoji && h("span", { class: "emoji" }, c.emoji.name ?? "⬡"), c.label && h("span", {}, c.label)];
  if (c.style === 5) {
    const url = safeUrl(c.url);
    return h("a", { class: "btn link", href: url, target: "_blank", rel: "noopener noreferrer" }, label, h("span", { "aria-hidden": "true" }, "↗"));
  }
  const waiting = busy.has(`${message.id} ${c.custom_id}`);
  return h(
    "button",
    {
      class: `btn ${STYLES[c.style] ?? "secondary"}`,
      type: "button",
      disabled: c.disabled,
      "aria-busy": waiting ? "true" : undefined,
      "aria-label": c.label ? undefined : c.emoji?.name ?? "Button",
      data: { customId: c.custom_id },
      onclick: () => interact(message, "press", { custom_id: c.custom_id }),
    },
    label,
  );
}

/** What a menu of people, roles or channels offers here. */
export function entityOptions(kind, types) {
  const people = state.people.map((p) => ({ value: p.id, label: p.name, description: `@${p.username}` }));
  const roles = [{ value: state.guild.id, label: "@everyone" }];
  const channels = places()
    .filter((p) => p.type !== 1 && p.type !== 4 && (!types?.length || types.includes(p.type)))
    .map((p) => ({ value: p.id, label: `#${p.name}` }));
  return { 5: people, 6: roles, 7: [...people, ...roles], 8: channels }[kind] ?? [];
}

export function selectOptions(c) {
  if (c.type !== 3) return entityOptions(c.type, c.channel_types);
  return c.options.map((o) => ({ value: o.value, label: o.label, description: o.description, emoji: o.emoji?.name }));
}

/** The button of a menu; `values` are those chosen, `change(values)` hears of new ones. */
export function selectButton(c, values, { change, waiting = false, draft, least }) {
  const options = selectOptions(c);
  const chosen = options.filter((o) => values.includes(o.value));
  const label = c.placeholder || SELECT_NOUN[c.type];
  const open = () =>
    listbox(made, {
      label,
      options,
      picked: values,
      least: least ?? c.min_values ?? 1,
      most: Math.min(c.max_values ?? 1, Math.max(1, options.length)),
      draft,
      done: change,
    });
  const made = h(
    "button",
    {
      class: "select",
      type: "button",
      disabled: c.disabled,
      "aria-haspopup": "listbox",
      "aria-expanded": "false",
      "aria-busy": waiting ? "true" : undefined,
      "aria-label": chosen.length ? `${label}: ${chosen.map((o) => o.label).join(", ")}` : label,
      data: { customId: c.custom_id },
      onclick: open,
      onkeydown: (event) => {
        if (event.key !== "ArrowDown") return;
        event.preventDefault();
        open();
      },
    },
    chosen.length
      ? h("span", { class: "picked" }, chosen.map((o) => h("span", { class: chosen.length > 1 ? "chip" : "" }, o.label)))
      : h("span", { class: "hint" }, label),
    h("span", { class: "arrow", "aria-hidden": "true" }, "▾"),
  );
  return made;
}

function select(c, message) {
  const key = `${message.id} ${c.custom_id}`;
  const given = [...(c.options ?? []).filter((o) => o.default).map((o) => o.value), ...(c.default_values ?? []).map((d) => d.id)];
  return selectButton(c, drafts.get(key) ?? given, {
    waiting: busy.has(key),
    draft: (values) => drafts.set(key, values),
    change: (values) => {
      drafts.set(key, values);
      interact(message, "choose", { custom_id: c.custom_id, values });
    },
  });
}

/** A picture that opens enlarged; its place is kept while it loads. */
export function picture(media, alt, { spoiler = false, small = false } = {}) {
  const url = safeUrl(media.url);
  if (!url) return h("span", { class: "hint" }, alt || "A picture that cannot be shown");
  const image = h("img", { src: url, alt: alt || "Picture", width: media.width, height: media.height, decoding: "async" });
  if (media.width && media.height) image.style.setProperty("--ratio", `${media.width} / ${media.height}`);
  return h(
    "button",
    {
      class: `picture${spoiler ? " hidden" : ""}${small ? " thumb" : ""}`,
      type: "button",
      "aria-label": `${spoiler ? "Spoiler. " : ""}Enlarge: ${alt || "picture"}`,
      onclick: (event) => {
        if (event.currentTarget.classList.contains("hidden")) event.currentTarget.classList.remove("hidden");
        else enlarge(url, alt);
      },
    },
    image,
  );
}

const KIB = 1024;
function sizeText(bytes) {
  return bytes < KIB ? `${bytes} bytes` : bytes < KIB * KIB ? `${Math.round(bytes / KIB)} KiB` : `${(bytes / KIB / KIB).toFixed(1)} MiB`;
}

/** A file to download. */
export function fileLink(url, name, size) {
  const safe = safeUrl(url);
  return h(
    safe ? "a" : "span",
    { class: "file", href: safe, download: name },
    h("span", { "aria-hidden": "true" }, "↓"),
    h("span", {}, name),
    size !== undefined && h("small", {}, sizeText(size)),
  );
}

const hex = (colour) => (colour === null || colour === undefined ? null : `#${colour.toString(16).padStart(6, "0")}`);

function container(c, message) {
  const made = h("div", { class: `card${c.spoiler ? " veiled" : ""}` }, components(c.components, message));
  const colour = hex(c.accent_color);
  if (colour) made.style.setProperty("--accent", colour);
  if (c.spoiler) made.addEventListener("click", () => made.classList.remove("veiled"), { once: true });
  return made;
}

/** One component of a message. */
function component(c, message) {
  switch (c.type) {
    case 1:
      return h("div", { class: "row" }, components(c.components, message));
    case 2:
      return button(c, message);
    case 3:
    case 5:
    case 6:
    case 7:
    case 8:
      return select(c, message);
    case 9:
      return h("div", { class: "section" }, h("div", {}, components(c.components, message)), component(c.accessory, message));
    case 10:
      return rich(c.content, names);
    case 11:
      return picture(c.media, c.description, { spoiler: c.spoiler, small: true });
    case 12:
      return h("div", { class: "gallery", data: { n: Math.min(c.items.length, 4) } }, c.items.map((i) => picture(i.media, i.description, i)));
    case 13: {
      const kept = message.attachments.find((a) => a.id === c.file.attachment_id || a.url === c.file.url);
      return fileLink(c.file.url, kept?.filename ?? c.name ?? "file", kept?.size ?? c.size);
    }
    case 14:
      return h("hr", { class: `gap${c.spacing === 2 ? " large" : ""}${c.divider === false ? " bare" : ""}` });
    case 17:
      return container(c, message);
    default:
      return h("span", { class: "hint" }, "Something that this page cannot show.");
  }
}

export const components = (list, message) => (list ?? []).map((c) => component(c, message));

/** An embed, the older kind of card. */
export function embed(e) {
  const made = h(
    "div",
    { class: "card" },
    e.author && h("p", { class: "small" }, e.author.name),
    e.title && h("h3", {}, e.title),
    e.description && rich(e.description, names),
    (e.fields ?? []).map((f) => h("div", { class: "field" }, h("b", {}, f.name), rich(f.value, names))),
    e.image && picture(e.image, "Picture"),
    e.footer && h("p", { class: "small" }, e.footer.text),
  );
  const colour = hex(e.color);
  if (colour) made.style.setProperty("--accent", colour);
  return made;
}

