// Discord's markdown. `parse` makes plain data out of text (and knows no DOM); `render` makes elements out of that.

const DEPTH = 10;
const ESCAPED = /\\([\\`*_~|<>#\-[\]()@!.:])/y;
const MENTION = /<(@!?|@&|#)(\d{1,20})>/y;
const EMOJI = /<a?:(\w{2,32}):\d{1,20}>/y;
const COMMAND = /<\/([-\w' ]{1,100}):\d{1,20}>/y;
const TIME = /<t:(-?\d{1,13})(?::([tTdDfFR]))?>/y;
const ANGLED = /<(https?:\/\/[^\s<>]{1,2000})>/y;
const LINK = /\[([^\][\n]{1,300})\]\((https?:\/\/[^\s()]{1,2000})\)/y;
const URL = /https?:\/\/[^\s<>()[\]]{1,2000}/y;
const EVERYONE = /@(everyone|here)\b/y;
// Longest first, since *** begins as ** does.
const MARKS = [
  ["***", ["strong", "em"]],
  ["**", ["strong"]],
  ["__", ["u"]],
  ["~~", ["s"]],
  ["||", ["spoiler"]],
  ["*", ["em"]],
  ["_", ["em"]],
];

function at(pattern, text, i) {
  pattern.lastIndex = i;
  return pattern.exec(text);
}

/** The place where a mark opened at `i` closes, or -1. */
function closing(text, i, mark) {
  const start = i + mark.length;
  for (let end = text.indexOf(mark, start + 1); end > 0; end = text.indexOf(mark, end + 1)) {
    if (text[end - 1] === "\\") continue;
    if (mark === "*" && text[end + 1] === "*") {
      end += 1; // a ** within
      continue;
    }
    if (mark === "*" && (/\s/.test(text[start]) || /\s/.test(text[end - 1]))) return -1;
    if (mark === "_" && /\w/.test(text[end + 1] ?? "")) continue;
    while (mark === "**" && text[end + 2] === "*") end += 1; // **a *b***
    return end;
  }
  return -1;
}

const SINGLE = [
  [ESCAPED, (m) => ({ type: "text", text: m[1] })],
  [MENTION, (m) => ({ type: { "#": "channel", "@&": "role" }[m[1]] ?? "user", id: m[2] })],
  [EMOJI, (m) => ({ type: "text", text: `:${m[1]}:` })],
  [COMMAND, (m) => ({ type: "command", text: m[1] })],
  [TIME, (m) => ({ type: "time", at: Number(m[1]), style: m[2] ?? "f" })],
  [ANGLED, (m) => ({ type: "link", url: m[1], children: [{ type: "text", text: m[1] }] })],
  [EVERYONE, (m) => ({ type: "everyone", text: m[0] })],
];
const STARTS = /[\\<@[h`*_~|]/g;

/** The parts of a line of text. */
export function inline(text, depth = 0) {
  const out = [];
  const push = (node) => {
    const last = out.at(-1);
    if (node.type === "text" && last?.type === "text") last.text += node.text;
    else out.push(node);
  };
  let i = 0;
  next: while (i < text.length) {
    STARTS.lastIndex = i;
    const start = STARTS.exec(text)?.index ?? text.length;
    if (start > i) push({ type: "text", text: text.slice(i, start) });
    i = start;
    if (i >= text.length) break;
    for (const [pattern, make] of SINGLE) {
      const m = at(pattern, text, i);
      if (m) {
        push(make(m));
        i += m[0].length;
        continue next;
      }
    }
    const named = at(LINK, text, i);
    if (named) {
      push({ type: "link", url: named[2], children: depth < DEPTH ? inline(named[1], DEPTH) : [{ type: "text", text: named[1] }] });
      i += named[0].length;
      continue;
    }
    const bare = at(URL, text, i);
    if (bare) {
      const url = bare[0].replace(/[.,:;!?'"*_~|]+$/, "");
      push({ type: "link", url, children: [{ type: "text", text: url }] });
      i += url.length;
      continue;
    }
    if (text[i] === "`") {
      const ticks = /^`+/.exec(text.slice(i))[0];
      const end = text.indexOf(ticks, i + ticks.length);
      if (end > 0) {
        push({ type: "code", text: text.slice(i + ticks.length, end).replace(/^ (?=`)|(?<=`) $/g, "") });
        i = end + ticks.length;
      } else {
        push({ type: "text", text: ticks });
        i += ticks.length;
      }
      continue;
    }
    for (const [mark, kinds] of MARKS) {
      if (!text.startsWith(mark, i) || depth >= DEPTH) continue;
      if (mark === "_" && /\w/.test(text[i - 1] ?? "")) continue;
      const end = closing(text, i, mark);
      if (end < 0) continue;
      const children = inline(text.slice(i + mark.length, end), depth + 1);
      push(kinds.reduceRight((inner, type) => [{ type, children: inner }], children)[0]);
      i = end + mark.length;
      continue next;
    }
    push({ type: "text", text: text[i] });
    i += 1;
  }
  return out;
}

const HEADING = /^(#{1,3})\s+(.+)$/;
const SMALL = /^-#\s+(.+)$/;
const ITEM = /^(\s*)([-*]|\d{1,9}\.)\s+(.*)$/;

function list(lines, from) {
  const items = [];
  const first = ITEM.exec(lines[from]);
  const indent = first[1].length;
  const ordered = !"-*".includes(first[2]);
  let i = from;
  while (i < lines.length) {
    const m = ITEM.exec(lines[i]);
    if (!m || m[1].length < indent) break;
    if (m[1].length > indent && items.length && items[0].depth < DEPTH) {
      const [inner, end] = list(lines, i);
      items.at(-1).children.push(inner);
      i = end;
      continue;
    }
    if (!"-*".includes(m[2]) !== ordered) break;
    items.push({ depth: indent / 2, children: inline(m[3]) });
    i += 1;
  }
  const start = ordered ? Number.parseInt(first[2], 10) : undefined;
  return [{ type: ordered ? "ol" : "ul", start, items: items.map((item) => item.children) }, i];
}

function blocks(lines, depth) {
  const out = [];
  let text = [];
  const flush = () => {
    if (text.length) out.push({ type: "p", children: inline(text.join("\n")) });
    text = [];
  };
  for (let i = 0; i < lines.length; ) {
    const line = lines[i];
    const heading = HEADING.exec(line);
    const small = SMALL.exec(line);
    if (heading) {
      flush();
      out.push({ type: `h${heading[1].length}`, children: inline(heading[2]) });
    } else if (small) {
      flush();
      out.push({ type: "small", children: inline(small[1]) });
    } else if (depth === 0 && line.startsWith(">>> ")) {
      flush();
      out.push({ type: "quote", children: blocks([line.slice(4), ...lines.slice(i + 1)], 1) });
      return out;
    } else if (depth === 0 && /^> ?/.test(line) && line.startsWith("> ")) {
      flush();
      const quoted = [];
      while (i < lines.length && lines[i].startsWith("> ")) quoted.push(lines[i++].slice(2));
      out.push({ type: "quote", children: blocks(quoted, 1) });
      continue;
    } else if (ITEM.test(line)) {
      flush();
      const [made, end] = list(lines, i);
      out.push(made);
      i = end;
      continue;
    } else text.push(line);
    i += 1;
  }
  flush();
  return out;
}

/** The blocks of a whole text. */
export function parse(source) {
  const out = [];
  let rest = String(source ?? "");
  while (rest) {
    const fence = /```(?:([\w+#.-]{1,20})\n)?\n?([\s\S]+?)\n?```\n?/.exec(rest);
    const before = fence ? rest.slice(0, fence.index) : rest;
    if (before) out.push(...blocks(before.replace(/\n$/, "").split("\n"), 0));
    if (!fence) break;
    out.push({ type: "codeblock", language: fence[1], text: fence[2] });
    rest = rest.slice(fence.index + fence[0].length);
  }
  return out;
}
