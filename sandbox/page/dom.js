// Makes elements. Text only ever becomes text nodes and attributes: nothing here parses HTML.

/** An element: `props` are attributes, `on*` handlers, `class`, `data` and `style` (CSS properties). */
export function h(tag, props, ...children) {
  const el = document.createElement(tag);
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) el.addEventListener(name.slice(2), value);
    else if (name === "data") Object.assign(el.dataset, value);
    else if (name === "style") for (const [k, v] of Object.entries(value)) el.style.setProperty(k, v);
    else if (name === "value") el.value = value;
    else el.setAttribute(name, value === true ? "" : String(value));
  }
  el.append(...children.flat(Infinity).filter((c) => c !== null && c !== undefined && c !== false));
  return el;
}

export const $ = (id) => document.getElementById(id);

/** What is inside an element from now on. */
export function fill(el, ...children) {
  el.replaceChildren(...children.flat(Infinity).filter((c) => c !== null && c !== undefined && c !== false));
}

const HUES = [204, 8, 150, 48, 266, 178, 332, 96, 32, 300, 232]; // neighbours, made one after the other, differ most

/** A colour that belongs to an id, as its number in a circle. */
export const hue = (id) => HUES[Number(BigInt(id) % BigInt(HUES.length))];

/** A round sign for somebody: the first letter of the name. */
export function avatar(user, { small = false } = {}) {
  const letter = [...(user.name ?? "?").trim()][0] ?? "?";
  return h(
    "span",
    {
      class: `avatar${small ? " small" : ""}${user.bot ? " bot" : ""}`,
      "aria-hidden": "true",
      style: { "--hue": hue(user.id) },
    },
    user.bot ? "⬡" : letter.toUpperCase(),
  );
}

/** A display name, whichever object it comes from. */
export const nameOf = (user) => user.name ?? user.global_name ?? user.username ?? "somebody";

/** Our own files by path, so that the page works under any of this machine's names; null for what isn't safe. */
export function safeUrl(url) {
  try {
    const parsed = new URL(url, location.href);
    if (parsed.pathname.startsWith("/cdn/") && ["127.0.0.1", "localhost"].includes(parsed.hostname)) {
      return parsed.pathname;
    }
    return ["http:", "https:"].includes(parsed.protocol) ? parsed.href : null;
  } catch {
    return null;
  }
}

/** Calls `run` once, `ms` after the first of several calls. */
export function soon(run, ms) {
  let timer = null;
  return () => {
    timer ??= setTimeout(() => {
      timer = null;
      run();
    }, ms);
  };
}
