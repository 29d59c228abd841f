// "Start a game against bots": does through the control API what a person would do.

import { $, fill, h } from "./dom.js";
import { pick, toast } from "./overlay.js";
import { mine, on, openPlace, openThreads, placeOf, state, walk } from "./state.js";

const BOTS = 3;
const PATIENCE = 20000;
const LOOK = 150;
let running = false;
let step = "";

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

/** What `look` finds, as soon as it finds something. */
async function until(look, otherwise) {
  const end = Date.now() + PATIENCE;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (Date.now() > end) throw new Error(otherwise);
    await pause(LOOK);
  }
}

function say(text) {
  step = text;
  draw();
}

const texts = (outcome) => [outcome.message, ...outcome.followups].filter(Boolean).map((m) => m.text);

async function command(path, options, channel) {
  const outcome = await mine().act("command", { command: path, options, channel, finish: 10 });
  if (!outcome.ack) throw new Error("The bot does not answer.");
  return outcome;
}

/** Press a game's button once it can be pressed. */
async function press(thread, verb) {
  const [message, button] = await until(async () => {
    const messages = await mine().see("messages", { channel: thread, limit: 20 });
    for (const m of messages) {
      const found = [...walk(m.components)].find((c) => !c.disabled && c.custom_id?.split(":")[4] === verb);
      if (found) return [m, found];
    }
    return null;
  }, "The table did not come.");
  return mine().act("press", { message_id: message.id, custom_id: button.custom_id });
}

async function start() {
  const home = (state.channels.find((c) => c.type === 0 && c.name === "games") ?? state.channels.find((c) => c.type === 0)).id;
  say("Waiting for the bot…");
  const create = await until(async () => {
    const commands = await mine().see("commands", { channel: home });
    return commands.find((c) => c.name === "game")?.options?.find((o) => o.name === "create");
  }, "The bot is not connected.");
  const choices = create.options?.find((o) => o.name === "game")?.choices ?? [];
  const game = choices.length > 1 ? await pick("Which game?", choices) : choices[0]?.value;
  if (!game) return;
  say("Opening a table…");
  const made = await command("game create", { game }, home);
  const thread = /<#(\d+)>/.exec(texts(made).join("\n"))?.[1];
  if (!thread) throw new Error(texts(made)[0] ?? "No table was opened.");
  say("Taking a seat…");
  await press(thread, "lobbyjoin");
  say("Seating bots…");
  await command("game bots", { count: BOTS }, thread);
  say("Starting…");
  const started = await press(thread, "lobbystart");
  if (!started.ack) throw new Error("The game did not start.");
  await until(() => placeOf(thread), "The table is not to be seen.");
  await openPlace(thread);
  await mine().act("read", { channel: home });
}

async function run() {
  if (running) return;
  running = true;
  try {
    await start();
  } catch (error) {
    toast(error.message);
  }
  running = false;
  step = "";
  draw();
}

function button(label) {
  return h(
    "button",
    { class: "btn primary start", type: "button", "aria-busy": running ? "true" : undefined, onclick: run, data: { start: "" } },
    running ? step : label,
  );
}

function draw() {
  const none = openThreads().length === 0;
  const home = placeOf(state.place)?.type === 0;
  fill($("shortcut"), none ? null : button("New game against bots"));
  const welcome = none && home;
  fill(
    $("welcome"),
    welcome && [
      h("h2", {}, "Welcome to the table"),
      h("p", {}, "This is a small chat server on your own machine. A bot runs long board games here: it knows the rules, draws the board and keeps each hand private."),
      button("Start a game against bots"),
      h(
        "ul",
        {},
        h("li", {}, "A game is a thread. Its newest message shows the board, and the buttons below it are your move."),
        h("li", {}, "Your cards come as a direct message, and with “My hand”."),
        h("li", {}, "Type ", h("code", {}, "/"), " for commands; everything the buttons do can be typed too."),
        h("li", {}, "Want several seats? Switch the person you play as at the top left, and join as each."),
      ),
    ],
  );
  $("welcome").hidden = !welcome;
}

export function startShortcut() {
  for (const what of ["places", "place"]) on(what, draw);
}
