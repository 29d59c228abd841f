// What the page knows: who one plays as, the places, the messages of the open channel.

import { as, get, stream } from "./api.js";
import { nameOf, soon } from "./dom.js";

const PAGE = 40;
const ENTITY = { message: true, edit: true, delete: true };

export const state = {
  people: [], // all to play as
  me: null,
  guild: { id: "", name: "" },
  channels: [], // with their threads
  dms: [],
  place: null, // the open channel's id
  messages: new Map(), // of the open channel, by id, oldest first
  more: false, // whether there are older ones
  attention: {}, // person id -> {unread, mentions}
  names: new Map(), // user id -> display name
  cursor: 0,
  up: true,
};

const listeners = {};

/**
 * Calls `run` whenever the named thing happened: people, person, places, place, loaded, older, message, gone, seen (any
 * message anywhere), asks, modal, typing, up.
 */
export const on = (what, run) => (listeners[what] ??= []).push(run);
export const tell = (what, value) => (listeners[what] ?? []).map((run) => run(value));

let close = () => {};
let session = 0; // one more with each switch of person; what comes late from before is dropped

export const mine = () => as(state.me.id);

/** Answers later whether one still plays as the same person as now, without a switch in between. */
export function still() {
  const [then, me] = [session, state.me];
  return () => then === session && me === state.me;
}

export const places = () => [...state.channels.flatMap((c) => [c, ...c.threads]), ...state.dms];
export const placeOf = (id) => places().find((p) => p.id === id) ?? null;
export const openThreads = () => state.channels.flatMap((c) => c.threads).filter((t) => !t.archived);
export const userName = (id) => state.names.get(id) ?? "somebody";

function meet(user) {
  if (user) state.names.set(user.id, nameOf(user));
}

/** Every message that comes to the page's eyes passes here. */
function see(message, gone = false) {
  meet(message.author);
  (message.mentions ?? []).forEach(meet);
  tell("seen", { message, gone });
}

/** Every component of a message, those within others too. */
export function* walk(components) {
  for (const c of components ?? []) {
    yield c;
    yield* walk(c.components);
    for (const child of [c.accessory, c.component]) if (child) yield* walk([child]);
  }
}

/** Read who there is. */
export async function loadPeople() {
  state.people = await get("people");
  state.people.forEach(meet);
  await loadAttention();
}

async function loadAttention() {
  state.attention = await get("attention");
  tell("people");
}

function takeTree(tree) {
  state.guild = tree.guild;
  state.channels = tree.channels;
  state.dms = tree.dms;
  tell("places");
}

async function loadTree() {
  const same = still();
  const tree = await mine().see("guild");
  if (!same()) return;
  takeTree(tree);
  if (state.place && !placeOf(state.place)) await openPlace(firstPlace());
}

const refresh = soon(() => {
  loadTree().catch(() => {});
  loadAttention().catch(() => {});
}, 250);

function firstPlace() {
  const texts = state.channels.filter((c) => c.type === 0);
  return (openThreads().at(-1) ?? texts.find((c) => c.name === "games") ?? texts[0])?.id ?? null;
}

/** Play as that person from now on, and stay in the channel if it can be seen. */
export async function playAs(id, place = state.place) {
  const now = ++session;
  const person = state.people.find((p) => p.id === id) ?? state.people[0];
  const tree = await as(person.id).see("guild");
  if (now !== session) return;
  close();
  state.me = person;
  remember("person", person.username);
  state.cursor = tree.cursor;
  takeTree(tree);
  tell("people");
  const direct = place && state.direct ? state.dms[0]?.id : null;
  await openPlace(direct ?? (placeOf(place) ? place : firstPlace()));
  await Promise.all(tell("person"));
  if (now !== session) return;
  tree.modals.forEach((modal) => tell("modal", modal));
  close = stream(person.id, {
    since: () => state.cursor,
    entry: take,
    status: (up) => {
      state.up = up;
      tell("up");
    },
    resume: sameWorld,
  });
}

/** After a lost connection: whether this is still the world that the page knows. If not, begin anew. */
async function sameWorld() {
  try {
    const tree = await mine().see("guild");
    if (tree.cursor >= state.cursor && tree.guild.id === state.guild.id) return true;
  } catch (error) {
    if (error.status !== 404) return true; // not there yet; go on trying
  }
  location.assign("/");
  return false;
}

/** Show a channel. */
export async function openPlace(id) {
  state.place = id;
  state.direct = state.dms.some((d) => d.id === id);
  state.messages = new Map();
  state.more = false;
  tell("place");
  if (!id) return;
  const same = still();
  const found = await mine().see("messages", { channel: id, limit: PAGE, mark: 1 });
  if (state.place !== id || !same()) return;
  const newer = [...state.messages.values()].filter((m) => !found.some((f) => f.id === m.id));
  state.messages = new Map([...found, ...newer].map((m) => [m.id, m]));
  state.more = found.length === PAGE;
  found.forEach((m) => see(m));
  tell("loaded");
  refresh();
}

/** Read older messages of the open channel; how many there were. */
export async function loadOlder() {
  const id = state.place;
  const oldest = state.messages.keys().next().value;
  if (!state.more || !oldest) return 0;
  state.more = false;
  const same = still();
  const found = await mine().see("messages", { channel: id, limit: PAGE, before: oldest });
  if (state.place !== id || !same()) return 0;
  state.messages = new Map([...found.map((m) => [m.id, m]), ...state.messages]);
  state.more = found.length === PAGE;
  found.forEach((m) => see(m));
  tell("older");
  return found.length;
}

const markRead = soon(() => {
  if (state.place && document.visibilityState === "visible") mine().act("read", { channel: state.place }).catch(() => {});
}, 250);
document.addEventListener("visibilitychange", markRead);

/** Take in one entry of the journal. */
function take(entry) {
  if (entry.n <= state.cursor) return;
  state.cursor = entry.n;
  if (ENTITY[entry.kind]) {
    const message = entry.body;
    see(message, entry.kind === "delete");
    if (entry.channel_id === state.place) {
      if (entry.kind === "delete") {
        state.messages.delete(message.id);
        tell("gone", message);
      } else if (entry.kind === "message" || state.messages.has(message.id)) {
        state.messages.set(message.id, message);
        tell("message", message);
        if (entry.kind === "message") markRead();
      }
    }
  } else if (entry.kind === "modal") tell("modal", { ...entry.body, id: entry.body.modal_id });
  else if (entry.kind === "typing") tell("typing", entry);
  else if (entry.kind === "reaction") reread(entry.message_id);
  if (!["typing", "choices", "modal", "edit"].includes(entry.kind)) refresh();
}

async function reread(id) {
  if (!state.messages.has(id)) return;
  const same = still();
  const message = await mine().see("message", { id }).catch(() => null);
  if (!message || !same() || !state.messages.has(id)) return;
  state.messages.set(id, message);
  tell("message", message);
}

// ---------------------------------------------------------------- what the browser remembers

export function remember(key, value) {
  try {
    localStorage.setItem(`sandbox.${key}`, value);
  } catch {
    // a browser without storage forgets
  }
}

export function recall(key) {
  try {
    return localStorage.getItem(`sandbox.${key}`);
  } catch {
    return null;
  }
}
