// The open channel's messages: drawn, changed in place, older ones read on the way up.

import { components, embed, failed, fileLink, names, picture, setRedraw } from "./components.js";
import { $, avatar, fill, h, nameOf, soon } from "./dom.js";
import { closeListbox } from "./listbox.js";
import { attempt } from "./overlay.js";
import { rich } from "./rich.js";
import { loadOlder, on, placeOf, recall, remember, state, userName, walk } from "./state.js";

const TOGETHER = 7 * 60 * 1000; // messages of one author within this time share a head
const NEAR = 80; // pixels from the end that count as being there
const PRELOAD = 400; // ms that an edit waits for its new picture at most
const DISMISSED_MOST = 400;
const KEPT = 200; // messages kept while one reads at the end
const PICTURES = /^image\/(png|jpe?g|gif|webp)/;

const scroll = $("scroll");
const list = $("messages");
let pinned = true; // at the end, and staying there
const dismissed = new Set(JSON.parse(recall("dismissed") ?? "[]"));

const elementOf = (id) => list.querySelector(`:scope > [data-id="${CSS.escape(id)}"]`);

function dismiss(message) {
  dismissed.add(message.id);
  remember("dismissed", JSON.stringify([...dismissed].slice(-DISMISSED_MOST)));
  keepingPlace(() => elementOf(message.id)?.remove());
}

function system(message) {
  const who = h("b", {}, nameOf(message.author));
  const thread = message.message_reference?.channel_id ?? message.thread?.id;
  if (message.type === 18) {
    const open = thread && placeOf(thread);
    const label = message.content || open?.name || "a thread";
    return [who, " opened a thread: ", open ? h("button", { class: "mention", type: "button", onclick: () => names.open(thread) }, label) : h("b", { data: { unknown: thread } }, label)];
  }
  if (message.type === 1) return [who, " let somebody into this thread."];
  if (message.type === 6) return [who, " pinned a message."];
  if (message.type === 4) return [who, " renamed this to ", h("b", {}, message.content)];
  return null;
}

function reply(message) {
  if (message.type !== 19 && message.type !== 21) return null;
  const to = message.referenced_message;
  if (!to) return h("div", { class: "reply" }, "↱ a message that is gone");
  const words = (to.content || to.components.map(firstText).find(Boolean) || "a message").split("\n")[0];
  const plain = words.replace(/^(-#|#+|>)\s+/, "").replace(/[*_`~|]{1,3}/g, "").replace(/<@!?(\d+)>/g, (_, id) => `@${userName(id)}`);
  return h("button", { class: "reply", type: "button", onclick: () => jump(to.id) }, "↱ ", h("b", {}, nameOf(to.author)), ` ${plain.slice(0, 100)}`);
}

function firstText(component) {
  for (const c of walk([component])) if (c.type === 10) return c.content;
  return null;
}

function stamp(message) {
  const date = new Date(message.timestamp);
  const today = date.toDateString() === new Date().toDateString();
  const shown = date.toLocaleString(undefined, today ? { timeStyle: "short" } : { dateStyle: "short", timeStyle: "short" });
  return h("time", { datetime: message.timestamp, title: date.toLocaleString() }, shown);
}

/** What of a message can change with an edit. */
function body(message) {
  const parts = [];
  const said = system(message);
  if (said) parts.push(h("p", { class: "system" }, said));
  else if (message.loading) {
    parts.push(h("p", { class: "thinking", role: "status" }, `${nameOf(message.author)} is thinking`, h("span", { class: "dots", "aria-hidden": "true" })));
  } else {
    if (message.content) parts.push(rich(message.content, names));
    parts.push(message.embeds.map(embed));
    parts.push(components(message.components, message));
    const used = new Set([...walk(message.components)].flatMap((c) => [c.media, c.file, ...(c.items ?? []).map((i) => i.media)].map((m) => m?.url)));
    for (const a of message.attachments.filter((a) => !used.has(a.url))) {
      parts.push(PICTURES.test(a.content_type) ? picture(a, a.description) : fileLink(a.url, a.filename, a.size));
    }
  }
  if (message.thread && placeOf(message.thread.id)) {
    parts.push(h("button", { class: "thread", type: "button", onclick: () => names.open(message.thread.id) }, `Thread: ${message.thread.name} ›`));
  }
  if (message.reactions.length) {
    parts.push(h("div", { class: "reactions" }, message.reactions.map((r) => h("span", {}, `${r.emoji.name} ${r.count}`))));
  }
  if (message.edited_timestamp && message.content) parts.push(h("small", { class: "edited" }, "(edited)"));
  if (failed.has(message.id)) parts.push(h("p", { class: "failed", role: "alert" }, "This interaction failed"));
  if (message.ephemeral && !message.loading) {
    const only = ["Only you can see this · ", h("button", { class: "textual", type: "button", onclick: () => dismiss(message) }, "Dismiss message")];
    parts.push(h("p", { class: "only" }, only));
  }
  return parts;
}

function draw(message) {
  const by = message.interaction_metadata?.user;
  const used = message.type === 20 && by && !message.ephemeral;
  const named = message.mentions.some((m) => m.id === state.me.id);
  return h(
    "li",
    {
      class: ["message", message.ephemeral && "ephemeral", named && "named", system(message) && "plain"].filter(Boolean).join(" "),
      data: { id: message.id, author: message.author.id, time: message.timestamp, version: message.version },
    },
    reply(message),
    used && h("div", { class: "reply" }, `↱ ${nameOf(by)} used a command`),
    avatar({ ...message.author, name: nameOf(message.author) }),
    h("div", { class: "by" }, h("b", {}, nameOf(message.author)), message.author.bot && h("span", { class: "tag" }, "BOT"), stamp(message)),
    h("div", { class: "body" }, body(message)),
  );
}

/** Give consecutive messages of one author one head. */
function group() {
  let before = null;
  for (const el of list.children) {
    const near = before && new Date(el.dataset.time) - new Date(before.dataset.time) < TOGETHER;
    const together = near && before.dataset.author === el.dataset.author && !el.querySelector(":scope > .reply");
    el.classList.toggle("together", Boolean(together && !before.classList.contains("plain") && !el.classList.contains("plain")));
    before = el;
  }
}

// ---------------------------------------------------------------- staying where one reads

const atEnd = () => scroll.scrollHeight - scroll.scrollTop - scroll.clientHeight < NEAR;

export function toEnd() {
  pinned = true;
  scroll.scrollTop = scroll.scrollHeight;
  $("newer").hidden = true;
}

/** Change the list so that what one reads does not move. */
function keepingPlace(change) {
  const top = scroll.getBoundingClientRect().top;
  const anchor = pinned ? null : [...list.children].find((el) => el.getBoundingClientRect().bottom > top + 1);
  const was = anchor?.getBoundingClientRect().top;
  change();
  group();
  if (pinned) scroll.scrollTop = scroll.scrollHeight;
  else if (anchor?.isConnected) scroll.scrollTop += anchor.getBoundingClientRect().top - was;
}

new ResizeObserver(() => {
  if (pinned) scroll.scrollTop = scroll.scrollHeight;
}).observe(list);
new ResizeObserver(() => {
  if (pinned) scroll.scrollTop = scroll.scrollHeight;
}).observe(scroll);

let reading = false;
let lastTop = 0;
scroll.addEventListener("scroll", async () => {
  // Only going up lets go of the end: what grows meanwhile does not.
  pinned = atEnd() || (pinned && scroll.scrollTop >= lastTop - 1);
  lastTop = scroll.scrollTop;
  if (pinned) $("newer").hidden = true;
  if (scroll.scrollTop < 300 && state.more && !reading) {
    reading = true;
    await attempt(loadOlder);
    reading = false;
  }
});
$("newer").addEventListener("click", toEnd);

/** Bring a message into view and point at it. */
export function jump(id) {
  const el = elementOf(id);
  if (!el) return;
  pinned = false;
  el.scrollIntoView({ block: "end" });
  el.classList.remove("pointed");
  requestAnimationFrame(() => el.classList.add("pointed"));
  (el.querySelector("button.btn:not(:disabled), button.select:not(:disabled)") ?? scroll).focus({ preventScroll: true });
}

// ---------------------------------------------------------------- changes

/** Put a message's new body in the old one's place, with the focus where it was. */
function replaceBody(message) {
  const el = elementOf(message.id);
  if (!el) return;
  const focused = el.contains(document.activeElement) ? document.activeElement.dataset.customId : undefined;
  const fresh = draw(message);
  for (const img of fresh.querySelectorAll("img")) {
    const same = [...el.querySelectorAll("img")].find((old) => old.src === img.src);
    if (same) img.replaceWith(same); // keeps its pixels: no flicker
  }
  keepingPlace(() => el.replaceWith(fresh));
  if (focused !== undefined) {
    const again = [...fresh.querySelectorAll("[data-custom-id]")].find((b) => b.dataset.customId === focused);
    (again ?? scroll).focus({ preventScroll: true });
  }
}

/** Load the new pictures of an edited message first, so that nothing blinks. */
async function preload(message) {
  const shown = new Set([...(elementOf(message.id)?.querySelectorAll("img") ?? [])].map((img) => img.src));
  const urls = message.attachments.filter((a) => PICTURES.test(a.content_type)).map((a) => new URL(a.url).pathname);
  const fresh = urls.filter((url) => !shown.has(new URL(url, location.href).href));
  if (!fresh.length) return;
  const loads = fresh.map((url) => Object.assign(new Image(), { src: url }).decode().catch(() => {}));
  await Promise.race([Promise.all(loads), new Promise((done) => setTimeout(done, PRELOAD))]);
}

async function show(message) {
  if (dismissed.has(message.id)) return;
  if (elementOf(message.id)) {
    await preload(message);
    if (state.messages.get(message.id) === message) replaceBody(message);
    return;
  }
  const own = message.author.id === state.me.id || message.interaction_metadata?.user.id === state.me.id;
  if (own) pinned = true; // what one asked for oneself is shown
  const after = [...list.children].findLast((el) => BigInt(el.dataset.id) < BigInt(message.id));
  keepingPlace(() => (after ? after.after(draw(message)) : list.prepend(draw(message))));
  if (!pinned) $("newer").hidden = false;
  else if (state.messages.size > KEPT + 40) trim();
}

/** Let go of what lies far back; it is read again on the way up. */
function trim() {
  for (const id of [...state.messages.keys()].slice(0, -KEPT)) {
    state.messages.delete(id);
    elementOf(id)?.remove();
  }
  state.more = true;
  group();
}

function all() {
  closeListbox();
  const shown = [...state.messages.values()].filter((m) => !dismissed.has(m.id));
  fill(list, shown.map(draw));
  group();
  toEnd();
}

function older() {
  const first = list.firstElementChild;
  const fresh = [...state.messages.values()].filter((m) => !dismissed.has(m.id) && (!first || BigInt(m.id) < BigInt(first.dataset.id)));
  pinned = false;
  keepingPlace(() => list.prepend(...fresh.map(draw)));
}

export function startMessages() {
  setRedraw((id) => state.messages.has(id) && replaceBody(state.messages.get(id)));
  on("place", all);
  on("loaded", all);
  on("older", older);
  on("message", show);
  on("places", () => {
    // what could not be named when it came
    for (const el of list.querySelectorAll("[data-unknown]")) {
      if (placeOf(el.dataset.unknown)) replaceBody(state.messages.get(el.closest(".message").dataset.id));
    }
  });
  on("gone", (message) => {
    keepingPlace(() => elementOf(message.id)?.remove());
  });
  const typingEnds = { timer: 0 };
  on("typing", (entry) => {
    if (entry.channel_id !== state.place || entry.author_id === state.me.id) return;
    $("typing").textContent = `${userName(entry.author_id)} is typing…`;
    clearTimeout(typingEnds.timer);
    typingEnds.timer = setTimeout(() => fill($("typing")), 8000);
  });
  const settle = soon(() => fill($("typing")), 0);
  on("message", settle);
  on("place", settle);
}

