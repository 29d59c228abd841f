// The box at the bottom: plain messages, and slash commands with hints, choices and autocomplete.

import { fixed, flatten, KIND, range, read, search } from "./commands.js";
import { entityOptions } from "./components.js";
import { $, fill, h } from "./dom.js";
import { toEnd } from "./messages.js";
import { attempt, toast } from "./overlay.js";
import { mine, on, placeOf, state } from "./state.js";
import { suggestions } from "./suggestions.js";

const TYPING_PAUSE = 160; // ms after a key before the bot is asked for choices

const entry = h("textarea", { id: "entry", rows: 1, maxlength: 2000, autocomplete: "off", "aria-label": "Message, or / for commands", "aria-autocomplete": "list" });
const send = h("button", { class: "icon send", type: "button", "aria-label": "Send", onclick: () => (command ? run() : say()) }, "➤");
const slashKey = h("button", { class: "icon slash", type: "button", "aria-label": "Commands", title: "Commands", onclick: () => begin("/") }, "/");
const line = h("div", { class: "line" });
const status = h("p", { class: "status", role: "status" });
const list = suggestions("commands-list");

let offered = []; // the flattened commands of this channel
let command = null; // the one being filled in
let fields = []; // [{option, input, picked, box}]
let asking = 0; // numbers the autocomplete requests; only the last one's answer counts
let timer = null;

async function loadCommands() {
  const place = state.place;
  if (!place) return;
  const found = await mine().see("commands", { channel: place }).catch(() => []);
  if (state.place === place) offered = flatten(found);
}

// ---------------------------------------------------------------- plain text

function begin(text) {
  leave();
  entry.value = text;
  entry.focus();
  typed();
}

async function typed() {
  entry.style.height = "auto";
  entry.style.height = `${Math.min(entry.scrollHeight, 160)}px`;
  if (!entry.value.startsWith("/") || entry.value.includes("\n")) {
    list.hide();
    return;
  }
  if (!offered.length) await loadCommands(); // the bot may have come since
  offer();
}

function offer() {
  if (command || !entry.value.startsWith("/")) return;
  const found = search(offered, entry.value.slice(1));
  list.show(
    found.map((c) => ({ name: `/${c.path}`, hint: c.description, tags: c.options.map((o) => ({ name: o.name, must: o.required })), take: () => choose(c) })),
    { title: found.length ? "Commands" : offered.length ? "No command fits." : "There are no commands here." },
    entry,
  );
}

async function say() {
  const content = entry.value.trim();
  if (!content) return;
  if (content.startsWith("/") && list.take()) return;
  entry.value = "";
  typed();
  const sent = await attempt(() => mine().act("send", { channel: state.place, content }));
  if (sent) toEnd();
  else entry.value ||= content;
}

entry.addEventListener("input", typed);
entry.addEventListener("focus", typed);
entry.addEventListener("blur", () => setTimeout(() => !command && document.activeElement !== entry && list.hide(), 150));
entry.addEventListener("keydown", (event) => {
  if (list.key(event)) return;
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    say();
  }
});

// ---------------------------------------------------------------- a command

/** Fill in that command. */
function choose(c) {
  command = c;
  fields = [];
  entry.value = "";
  entry.hidden = true;
  fill(line, h("span", { class: "path" }, `/${c.path}`));
  c.options.filter((o) => o.required).forEach(addField);
  const first = fields[0];
  send.focus();
  if (first) first.input.focus();
  else more();
  status.textContent = c.options.length ? "" : "Press Enter to run it.";
}

function leave() {
  command = null;
  fields = [];
  clearTimeout(timer);
  asking += 1;
  fill(line);
  status.textContent = "";
  entry.hidden = false;
  list.hide();
}

function addField(option) {
  const input =
    option.type === KIND.file
      ? h("input", { type: "file", "aria-label": option.name })
      : h("input", {
          type: "text",
          size: 4,
          autocomplete: "off",
          autocapitalize: "off",
          spellcheck: "false",
          inputmode: option.type === KIND.integer ? "numeric" : undefined,
          "aria-label": `${option.name}${option.required ? ", required" : ", optional"}: ${option.description}`,
          data: { option: option.name },
        });
  const box = h("label", { class: `option${option.required ? " must" : ""}` }, h("span", {}, option.name), input);
  const field = { option, input, box, picked: null };
  input.addEventListener("input", () => {
    box.classList.remove("wrong");
    if (input.type === "text") input.size = Math.max(4, Math.min(input.value.length + 1, 40));
    suggest(field, TYPING_PAUSE);
  });
  input.addEventListener("focus", () => suggest(field, 0));
  input.addEventListener("keydown", (event) => fieldKey(event, field));
  fields.push(field);
  line.append(box);
  return field;
}

function fieldKey(event, field) {
  const at = fields.indexOf(field);
  if (list.key(event)) return;
  if (event.key === "Enter" && !event.isComposing) {
    event.preventDefault();
    run();
  } else if (event.key === "Escape") {
    event.preventDefault();
    leave();
    entry.focus();
  } else if (event.key === "Backspace" && !field.input.value) {
    event.preventDefault();
    if (field.option.required && at === 0) begin(`/${command.path}`);
    else {
      if (!field.option.required) {
        field.box.remove();
        fields.splice(at, 1);
      }
      (fields[Math.max(0, at - 1)]?.input ?? send).focus();
      if (!fields.length) more();
    }
  }
}

/** What else can be given to the command. */
const rest = () => command.options.filter((o) => !fields.some((f) => f.option === o));

function more() {
  const left = rest();
  list.show(
    left.map((o) => ({ name: o.name, hint: o.description, tags: [{ name: "optional" }], take: () => addField(o).input.focus() })),
    { title: left.length ? "Also possible" : "", quiet: true },
    send,
  );
}

/** Offer values for a field: fixed ones at once, the bot's after a pause. */
function suggest(field, pause) {
  const { option, input } = field;
  clearTimeout(timer);
  asking += 1;
  const title = `${option.name}${option.required ? "" : " (optional)"}: ${option.description}`;
  const known = fixed(option, entityOptions);
  const words = field.picked?.name === input.value ? "" : input.value.trim().toLowerCase();
  if (known) {
    present(field, title, known.filter((c) => c.name.toLowerCase().includes(words)));
  } else if (option.autocomplete) {
    if (pause === 0) present(field, title, [], "…");
    timer = setTimeout(() => ask(field, title, words), pause);
  } else present(field, title, [], option.type === KIND.file ? "" : `Type ${range(option)}.`);
}

async function ask(field, title, words) {
  const now = ++asking;
  const options = { ...values().given, [field.option.name]: words ? field.input.value : "" };
  const body = { channel: state.place, command: command.path, options, focused: field.option.name };
  const outcome = await mine().act("autocomplete", body).catch((error) => ({ error: error.message, choices: [] }));
  if (now !== asking || !command) return;
  present(field, title, outcome.choices, outcome.error ? "Loading options failed" : outcome.choices.length ? "" : "No options match what is typed.");
}

function present(field, title, choices, note = "") {
  const items = choices.map((c) => ({ name: c.name, take: () => pick(field, c) }));
  for (const o of rest()) {
    items.push({ name: `+ ${o.name}`, hint: o.description, tags: [{ name: "optional" }], extra: true, take: () => addField(o).input.focus() });
  }
  list.show(items, { title, note, quiet: !choices.length }, field.input);
}

function pick(field, choice) {
  field.picked = choice;
  field.input.value = choice.name;
  field.input.size = Math.max(4, Math.min(choice.name.length + 1, 40));
  field.box.classList.remove("wrong");
  const next = fields.find((f) => f !== field && !f.input.value && f.option.required);
  if (next) {
    next.input.focus();
    return;
  }
  asking += 1;
  clearTimeout(timer);
  present(field, "Press Enter to run it.", []);
  field.input.focus();
}

/** What the fields hold now: the values given, and the first problem. */
function values() {
  const given = {};
  let trouble = null;
  for (const field of fields) {
    if (field.option.type === KIND.file) continue;
    const { value, problem } = read(field.option, field.input.value, field.picked, entityOptions);
    if (problem) trouble ??= { field, problem };
    else if (value !== undefined) given[field.option.name] = value;
  }
  return { given, trouble };
}

async function files() {
  const given = {};
  for (const { option, input } of fields.filter((f) => f.option.type === KIND.file && f.input.files.length)) {
    const bytes = new Uint8Array(await input.files[0].arrayBuffer());
    given[option.name] = { filename: input.files[0].name, data: btoa(Array.from(bytes, (b) => String.fromCharCode(b)).join("")) };
  }
  return given;
}

async function run() {
  const { given, trouble } = values();
  if (trouble) {
    trouble.field.box.classList.add("wrong");
    status.textContent = trouble.problem;
    trouble.field.input.focus();
    return;
  }
  const options = { ...given, ...(await files()) };
  const { path } = command;
  leave();
  entry.focus();
  typed();
  toEnd();
  status.textContent = `Sending /${path}…`;
  const outcome = await attempt(() => mine().act("command", { channel: state.place, command: path, options }));
  status.textContent = "";
  if (outcome && !outcome.ack) toast(`/${path}: the application did not respond.`);
}

send.addEventListener("keydown", (event) => {
  if (command && list.key(event)) return;
  if (command && (event.key === "Escape" || event.key === "Backspace")) {
    event.preventDefault();
    const { path } = command;
    leave();
    begin(event.key === "Escape" ? "" : `/${path}`);
  }
});

export function startSlash() {
  fill($("composer"), list.element, status, h("div", { class: "box" }, slashKey, line, entry, send));
  on("place", () => {
    leave();
    entry.value = "";
    const place = placeOf(state.place);
    entry.placeholder = place ? "Message, or / for commands" : "";
    entry.setAttribute("aria-label", place ? `Message to ${place.name}, or / for commands` : "Message");
    offered = [];
    loadCommands();
  });
  document.addEventListener("slash", (event) => {
    const found = offered.find((c) => c.path === event.detail);
    if (found) choose(found);
    else begin(`/${event.detail}`);
  });
  document.addEventListener("keydown", (event) => {
    const idle = document.activeElement === document.body || document.activeElement === $("scroll");
    if (event.key === "/" && idle && !event.ctrlKey && !event.metaKey && !document.querySelector("dialog[open]")) {
      event.preventDefault();
      begin("/");
    }
  });
}
