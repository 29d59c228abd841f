// What lies above the page: toasts, dialogs, the enlarged picture.

import { $, fill, h } from "./dom.js";

const TOAST_MS = 6000;

/** A short notice, for errors mostly. */
export function toast(text, kind = "error") {
  const box = h(
    "div",
    { class: `toast ${kind}` },
    h("span", {}, text),
    h("button", { class: "icon", "aria-label": "Close this notice", onclick: () => box.remove() }, "✕"),
  );
  $("toasts").append(box);
  while ($("toasts").children.length > 4) $("toasts").firstChild.remove();
  setTimeout(() => box.remove(), TOAST_MS);
}

/** Runs something that may fail, and shows the error. Answers undefined then. */
export async function attempt(run) {
  try {
    return await run();
  } catch (error) {
    if (error.status === undefined) throw error;
    toast(error.message);
    return undefined;
  }
}

/**
 * A dialog that keeps the focus, closes with Escape and gives the focus back. `closed(value)` is called once.
 * Answers a function that closes it.
 */
export function dialog(label, content, { kind = "", closed = () => {} } = {}) {
  const before = document.activeElement;
  const box = h("dialog", { class: `dialog ${kind}`, "aria-label": label }, content);
  let open = true;
  const close = (value) => {
    if (!open) return;
    open = false;
    box.close();
    box.remove();
    if (before?.isConnected) before.focus({ preventScroll: true });
    closed(value);
  };
  box.addEventListener("cancel", (event) => {
    event.preventDefault();
    close();
  });
  box.addEventListener("mousedown", (event) => {
    if (event.target === box) close();
  });
  $("overlays").append(box);
  box.showModal();
  return close;
}

/** The picture as large as the window lets it; pressed again, at full size to look around in. */
export function enlarge(url, alt) {
  const picture = h("img", { src: url, alt: alt || "Picture" });
  const frame = h("div", { class: "frame" }, picture);
  picture.addEventListener("click", () => frame.classList.toggle("full"));
  const close = dialog("Picture", [], { kind: "lightbox" });
  const box = $("overlays").lastChild;
  frame.addEventListener("click", (event) => event.target === frame && close());
  fill(
    box,
    frame,
    h(
      "div",
      { class: "bar" },
      alt && h("details", {}, h("summary", {}, "In words"), h("p", {}, alt)),
      h("a", { href: url, target: "_blank", rel: "noopener" }, "Open alone"),
      h("button", { class: "btn secondary", onclick: () => close() }, "Close"),
    ),
  );
  box.querySelector("button").focus();
}

/** A choice among a few things, as a dialog; answers the value or null. */
export function pick(title, options) {
  return new Promise((done) => {
    const close = dialog(
      title,
      [
        h("h2", {}, title),
        h(
          "div",
          { class: "choices" },
          options.map((o) => h("button", { class: "btn secondary", onclick: () => close(o.value) }, o.name)),
        ),
      ],
      { closed: (value) => done(value ?? null) },
    );
  });
}
