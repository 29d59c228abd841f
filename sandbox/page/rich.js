// Parsed markdown as elements.

import { h, safeUrl } from "./dom.js";
import { inline, parse } from "./markdown.js";

const TIMES = {
  t: { timeStyle: "short" },
  T: { timeStyle: "medium" },
  d: { dateStyle: "short" },
  D: { dateStyle: "long" },
  f: { dateStyle: "long", timeStyle: "short" },
  F: { dateStyle: "full", timeStyle: "short" },
};
const STEPS = [["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];

function relative(at) {
  const gap = at - Date.now() / 1000;
  const [unit, size] = STEPS.find(([, seconds]) => Math.abs(gap) >= seconds) ?? STEPS[3];
  return new Intl.RelativeTimeFormat(undefined, { numeric: "auto" }).format(Math.round(gap / size), unit);
}

function spoiler(children) {
  const show = (event) => {
    if (event.type === "keydown" && !["Enter", " "].includes(event.key)) return;
    event.preventDefault();
    event.currentTarget.classList.add("shown");
    event.currentTarget.removeAttribute("role");
    event.currentTarget.removeAttribute("aria-label");
  };
  return h(
    "span",
    { class: "spoiler", tabindex: 0, role: "button", "aria-label": "Spoiler: press to show", onclick: show, onkeydown: show },
    h("span", {}, children),
  );
}

/** One parsed part; `names` has `user(id)`, `channel(id)`, `me` and `open(channel id)`. */
function element(node, names) {
  const inner = () => (node.children ?? []).map((child) => element(child, names));
  switch (node.type) {
    case "text":
      return document.createTextNode(node.text);
    case "code":
      return h("code", {}, node.text);
    case "codeblock":
      return h("pre", { tabindex: 0, "aria-label": "Text block" }, h("code", {}, node.text));
    case "user":
      return h("span", { class: `mention${node.id === names.me ? " me" : ""}` }, `@${names.user(node.id)}`);
    case "role":
      return h("span", { class: "mention" }, "@role");
    case "everyone":
      return h("span", { class: "mention me" }, node.text);
    case "channel": {
      const name = names.channel(node.id);
      if (name === null) return h("span", { class: "mention", data: { unknown: node.id } }, "#unknown");
      return h("button", { class: "mention", type: "button", onclick: () => names.open(node.id) }, `#${name}`);
    }
    case "command":
      return h("button", { class: "mention", type: "button", onclick: () => names.command?.(node.text) }, `/${node.text}`);
    case "time": {
      const date = new Date(node.at * 1000);
      const shown = Number.isNaN(date.getTime()) ? "some time" : node.style === "R" ? relative(node.at) : date.toLocaleString(undefined, TIMES[node.style]);
      return h("time", {}, shown);
    }
    case "link": {
      const url = safeUrl(node.url);
      return url ? h("a", { href: url, target: "_blank", rel: "noopener noreferrer" }, inner()) : h("span", {}, inner());
    }
    case "spoiler":
      return spoiler(inner());
    case "small":
      return h("p", { class: "small" }, inner());
    case "quote":
      return h("blockquote", {}, inner());
    case "ul":
    case "ol":
      return h(node.type, { start: node.start }, node.items.map((item) => h("li", {}, item.map((c) => element(c, names)))));
    case "h1":
    case "h2":
    case "h3":
      return h(`h${Number(node.type[1]) + 1}`, { class: node.type }, inner());
    default:
      return h(node.type, {}, inner());
  }
}

/** A whole text with its blocks. */
export const rich = (text, names) => h("div", { class: "md" }, parse(text).map((node) => element(node, names)));

/** One line of it, for labels. */
export const richLine = (text, names) => inline(String(text ?? "")).map((node) => element(node, names));
