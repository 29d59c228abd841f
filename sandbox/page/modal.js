// Modals: a form that the bot opened.

import { names, selectButton } from "./components.js";
import { h } from "./dom.js";
import { attempt, dialog } from "./overlay.js";
import { rich } from "./rich.js";
import { mine, on } from "./state.js";

const open = new Set();

async function base64(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = "";
  for (const b of bytes) text += String.fromCharCode(b);
  return { filename: file.name, content_type: file.type || undefined, data: btoa(text) };
}

function textInput(c, id) {
  const tag = c.style === 2 ? "textarea" : "input";
  const props = {
    id,
    required: c.required !== false,
    placeholder: c.placeholder,
    minlength: c.min_length,
    maxlength: c.max_length ?? 4000,
    value: c.value ?? "",
    autocomplete: "off",
  };
  const el = h(tag, tag === "textarea" ? { ...props, rows: 4 } : props);
  return { el, value: async () => el.value };
}

function selectInput(c) {
  let values = [...(c.options ?? []).filter((o) => o.default).map((o) => o.value), ...(c.default_values ?? []).map((d) => d.id)];
  const box = h("div", {});
  const least = c.required === false ? 0 : (c.min_values ?? 1);
  const put = (focus) => {
    box.replaceChildren(selectButton(c, values, { least, draft: () => {}, change: (chosen) => ((values = chosen), put(true)) }));
    if (focus) box.firstChild.focus();
  };
  put(false);
  return { el: box, value: async () => values, lacks: () => values.length < least };
}

function choiceInput(c, kind) {
  const inputs = c.options.map((o) => h("input", { type: kind, name: c.custom_id, checked: o.default, data: { value: o.value } }));
  const rows = c.options.map((o, n) => h("label", { class: "check" }, inputs[n], h("span", {}, o.label, o.description && h("small", {}, o.description))));
  const chosen = () => inputs.filter((i) => i.checked).map((i) => i.dataset.value);
  const needs = c.required === false ? 0 : (c.min_values ?? 1);
  return {
    el: h("div", { class: "checks" }, rows),
    value: async () => (kind === "radio" ? (chosen()[0] ?? null) : chosen()),
    lacks: () => chosen().length < needs,
  };
}

function input(c, id) {
  if (c.type === 4) return textInput(c, id);
  if ([3, 5, 6, 7, 8].includes(c.type)) return selectInput(c);
  if (c.type === 21) return choiceInput(c, "radio");
  if (c.type === 22) return choiceInput(c, "checkbox");
  if (c.type === 23) {
    const el = h("input", { id, type: "checkbox", checked: c.default });
    return { el, value: async () => el.checked };
  }
  if (c.type === 19) {
    const el = h("input", { id, type: "file", multiple: (c.max_values ?? 1) > 1, required: c.required !== false });
    return { el, value: () => Promise.all([...el.files].map(base64)) };
  }
  return null;
}

/** Show a modal; it is dismissed when it is closed without sending. */
function show(modal) {
  if (open.has(modal.id)) return;
  open.add(modal.id);
  const fields = [];
  const field = (c, label, description) => {
    const id = `field-${modal.id}-${fields.length}`;
    const made = input(c, id);
    if (!made) return null;
    fields.push({ id: c.custom_id, label, ...made });
    const star = c.required === false ? null : h("span", { class: "star", title: "required" }, " *");
    return h("div", { class: "field" }, h("label", { for: id }, label, star), description && h("p", { class: "small" }, description), made.el);
  };
  const rows = modal.components.map((top) => {
    if (top.type === 10) return rich(top.content, names);
    if (top.type === 18) return field(top.component, top.label, top.description);
    return (top.components ?? []).map((c) => field(c, c.label));
  });
  const trouble = h("p", { class: "failed", role: "alert" });
  const send = h("button", { class: "btn primary", type: "submit" }, "Submit");
  let sent = false;
  const close = dialog(
    modal.title,
    h(
      "form",
      {
        onsubmit: async (event) => {
          event.preventDefault();
          const lacking = fields.find((f) => f.lacks?.());
          if (lacking) {
            trouble.textContent = `“${lacking.label}” is still to be chosen.`;
            return;
          }
          send.disabled = true;
          const values = {};
          for (const f of fields) values[f.id] = await f.value();
          const outcome = await attempt(() => mine().act("submit", { modal_id: modal.id, values }));
          send.disabled = false;
          if (outcome?.ack) {
            sent = true;
            close();
          } else if (outcome) trouble.textContent = "Something went wrong. Try again.";
        },
      },
      h("h2", {}, modal.title),
      rows,
      trouble,
      h("div", { class: "row end" }, h("button", { class: "btn secondary", type: "button", onclick: () => close() }, "Cancel"), send),
    ),
    {
      closed: () => {
        open.delete(modal.id);
        if (!sent) mine().act("dismiss", { modal_id: modal.id }).catch(() => {});
      },
    },
  );
  document.querySelector("#overlays dialog:last-child :is(input, textarea, .select)")?.focus();
}

export const startModals = () => on("modal", show);
