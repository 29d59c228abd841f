// The slash commands offered in a channel, flattened, searched, and their values read. Knows no DOM.

export const KIND = { string: 3, integer: 4, boolean: 5, user: 6, channel: 7, role: 8, mentionable: 9, number: 10, file: 11 };
const NOUN = { 3: "text", 4: "a whole number", 5: "true or false", 6: "somebody", 7: "a channel", 8: "a role", 9: "somebody or a role", 10: "a number", 11: "a file" };

/** Every command that can be run: [{path, description, options}]. */
export function flatten(commands) {
  const out = [];
  const visit = (node, path) => {
    const subs = (node.options ?? []).filter((o) => o.type === 1 || o.type === 2);
    if (subs.length) subs.forEach((sub) => visit(sub, `${path} ${sub.name}`));
    else if (node.type !== 2) out.push({ path, description: node.description, options: node.options ?? [] });
  };
  commands.filter((c) => (c.type ?? 1) === 1).forEach((c) => visit(c, c.name));
  return out;
}

/** The commands that fit what was typed after the slash, the best first. */
export function search(commands, typed) {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const score = (c) => {
    const path = c.path.toLowerCase();
    if (path.startsWith(words.join(" "))) return 0;
    if (words.every((w) => path.split(" ").some((part) => part.startsWith(w)))) return 1;
    if (words.every((w) => path.includes(w))) return 2;
    return words.every((w) => `${path} ${c.description.toLowerCase()}`.includes(w)) ? 3 : 9;
  };
  return commands
    .map((c) => [score(c), c])
    .filter(([n]) => n < 9)
    .sort(([a], [b]) => a - b)
    .map(([, c]) => c);
}

/** What may stand in an option, in words. */
export function range(option) {
  const { min_value: low, max_value: high } = option;
  const noun = NOUN[option.type] ?? "a value";
  if (low !== undefined && high !== undefined) return `${noun} from ${low} to ${high}`;
  if (low !== undefined) return `${noun}, at least ${low}`;
  if (high !== undefined) return `${noun}, at most ${high}`;
  return noun;
}

/** What can be offered for an option without asking the bot; null when it is typed freely. */
export function fixed(option, entities) {
  if (option.choices?.length) return option.choices;
  if (option.type === KIND.boolean) {
    return [
      { name: "True", value: true },
      { name: "False", value: false },
    ];
  }
  const kind = { [KIND.user]: 5, [KIND.role]: 6, [KIND.mentionable]: 7, [KIND.channel]: 8 }[option.type];
  return kind ? entities(kind, option.channel_types).map((e) => ({ name: e.label, value: e.value })) : null;
}

/**
 * The value of an option from what stands in its field: `{value}` or `{problem}`; `{}` when it is left out.
 * `picked` is the choice that was taken from the list, if its words still stand there.
 */
export function read(option, text, picked, entities) {
  if (picked && picked.name === text) return { value: picked.value };
  const typed = text.trim();
  if (!typed) return option.required ? { problem: `${option.name} is needed` } : {};
  const offered = fixed(option, entities);
  if (offered) {
    const low = typed.toLowerCase();
    const found = offered.find((c) => c.name.toLowerCase() === low) ?? offered.find((c) => String(c.value).toLowerCase() === low);
    return found ? { value: found.value } : { problem: `${option.name}: “${typed}” is not offered` };
  }
  if (option.type === KIND.integer || option.type === KIND.number) {
    const n = Number(typed);
    const whole = option.type === KIND.number || Number.isInteger(n);
    const inside = n >= (option.min_value ?? -Infinity) && n <= (option.max_value ?? Infinity);
    return Number.isFinite(n) && whole && inside ? { value: n } : { problem: `${option.name} is ${range(option)}` };
  }
  return { value: text };
}
