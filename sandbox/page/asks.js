// Who is asked something, as far as this page may know.

import { mine, on, openThreads, placeOf, state, still, tell, walk } from "./state.js";

const ASKING = /^t:\d+:\d+:\d+:(answer|menu|all|none|add|done|open|number|page|clear):/;
const FINAL = /^t:\d+:\d+:\d+:(answer|menu|all|none|done):/;
const LOOK_BACK = 15;

const asks = new Map(); // message id -> {channel, message, version, ids}
const answered = new Map(); // "person message" -> {version, question}: what was answered in private, in this page

/** The part of a custom id that names game, seat and question. */
export const question = (customId) => customId.split(":").slice(0, 4).join(":");
const asking = (message) => [...walk(message.components)].filter((c) => !c.disabled && ASKING.test(c.custom_id ?? ""));

/** Whom a message asks: those named in its last text, while it has something to answer with. */
function askedBy(message) {
  if (message.ephemeral || !asking(message).length) return [];
  const last = [...walk(message.components)].filter((c) => c.type === 10).at(-1)?.content ?? "";
  return [...new Set([...last.matchAll(/<@!?(\d+)>/g)].map((m) => m[1]))];
}

function notice({ message, gone }) {
  if (message.ephemeral) {
    if (!gone) reopen(message);
    return;
  }
  const ids = gone ? [] : askedBy(message);
  const was = asks.get(message.id);
  if (ids.length) asks.set(message.id, { channel: message.channel_id, message: message.id, version: message.version, ids });
  else if (!asks.delete(message.id)) return;
  if (was?.version !== message.version || gone) tell("asks");
}

/** A private panel that asks something new: the one who sees it is asked again. */
function reopen(panel) {
  const now = asking(panel).map((c) => question(c.custom_id));
  for (const ask of now.length ? asks.values() : []) {
    const key = `${state.me?.id} ${ask.message}`;
    const done = ask.channel === panel.channel_id && answered.get(key);
    if (done && !now.includes(done.question) && answered.delete(key)) tell("asks");
  }
}

/** One has answered in private: the table tells nobody, but whoever plays several seats need not be sent there again. */
export function answeredHere(customId) {
  if (!FINAL.test(customId)) return;
  for (const ask of asks.values()) {
    if (ask.channel !== state.place || !ask.ids.includes(state.me.id)) continue;
    answered.set(`${state.me.id} ${ask.message}`, { version: ask.version, question: question(customId) });
  }
  tell("asks");
}

/** Look through the ends of all open channels. */
async function lookAround() {
  const same = still();
  const tables = [...state.channels.filter((c) => c.type === 0), ...openThreads()];
  const found = await Promise.all(
    tables.map((t) => mine().see("messages", { channel: t.id, limit: LOOK_BACK }).catch(() => [])),
  );
  if (!same()) return;
  asks.clear();
  found.flat().forEach((message) => notice({ message, gone: false }));
  tell("asks");
}

/** The open questions, the newest of each channel and person: [{person, channel, message}], all ids. */
export function asked() {
  const found = new Map();
  for (const ask of asks.values()) {
    for (const id of ask.ids) {
      if (answered.get(`${id} ${ask.message}`)?.version === ask.version) continue;
      found.set(`${id} ${ask.channel}`, { person: id, channel: ask.channel, message: ask.message });
    }
  }
  return [...found.values()].filter((a) => placeOf(a.channel));
}

export function startAsks() {
  on("seen", notice);
  on("person", lookAround);
}
