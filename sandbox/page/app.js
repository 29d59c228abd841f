// Puts the page together.

import { startAsks } from "./asks.js";
import { startAsked } from "./asked.js";
import { startMessages } from "./messages.js";
import { startModals } from "./modal.js";
import { toast } from "./overlay.js";
import { startShortcut } from "./shortcut.js";
import { startSidebar } from "./sidebar.js";
import { startSlash } from "./slash.js";
import { loadPeople, playAs, recall, state } from "./state.js";

async function start() {
  startAsks();
  startMessages();
  startSidebar();
  startAsked();
  startSlash();
  startModals();
  startShortcut();
  try {
    await loadPeople();
    const known = state.people.find((p) => p.username === recall("person")) ?? state.people[0];
    await playAs(known.id, location.pathname.split("/")[3]);
  } catch (error) {
    toast(error.message);
    setTimeout(() => location.reload(), 3000);
    return;
  }
  document.body.dataset.ready = "true";
}

start();
