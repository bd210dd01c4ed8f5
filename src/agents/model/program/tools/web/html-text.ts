/**
 * The readable text of a page: its title, its words, its links. Not a parser: whatever the page is, it takes one pass
 * and gives some text.
 */
import { decodeEntities } from "./html-entities.ts";

/** What is in them is not for reading. */
const HIDDEN = new Set([
  "script",
  "style",
  "noscript",
  "template",
  "svg",
  "iframe",
  "object",
  "head",
  "title",
]);
const BLOCKS = new Set(
  "address article aside blockquote br dd div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table tr ul".split(
    " ",
  ),
);
const HEADING = /^h([1-6])$/;

interface Tag {
  readonly name: string;
  readonly isClosing: boolean;
  readonly source: string;
  /** After its `>`. */
  readonly end: number;
}

/** Links become `[words](address)`, resolved against `base`. */
export function htmlText(html: string, base: string): string {
  // Only these letters: of others the small one may be longer.
  const lower = html.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
  const unclosed = new Set<string>();
  const out: string[] = [];
  const title = titleOf(html, lower);
  let href: string | undefined;
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf("<", at);
    out.push(decodeEntities(html.slice(at, open === -1 ? undefined : open).replaceAll(/\s+/g, " ")));
    if (open === -1) break;
    const tag = readTag(html, lower, open);
    if (!tag) {
      out.push("<");
      at = open + 1;
      continue;
    }
    at = tag.end;
    const { name, isClosing } = tag;
    if (!isClosing && HIDDEN.has(name) && !unclosed.has(name)) {
      const after = afterClosing(lower, name, at);
      // Not looked for again, which would take a pass for each.
      if (after === undefined) unclosed.add(name);
      else at = after;
    } else if (name === "a") {
      if (href !== undefined) out.push(`](${href})`);
      href = isClosing ? undefined : linkOf(tag.source, base);
      if (href !== undefined) out.push("[");
    } else if (BLOCKS.has(name)) {
      const level = isClosing ? undefined : HEADING.exec(name)?.[1];
      out.push("\n", level ? `${"#".repeat(Number(level))} ` : !isClosing && name === "li" ? "- " : "");
    } else if (name === "td" || name === "th") {
      out.push(" ");
    }
  }
  if (href !== undefined) out.push(`](${href})`);
  return [title && `# ${title}`, tidied(out.join(""))].filter(Boolean).join("\n\n");
}

/** Undefined where a `<` begins no tag. A comment is a tag without a name. */
function readTag(html: string, lower: string, open: number): Tag | undefined {
  if (html.startsWith("<!--", open)) {
    const end = html.indexOf("-->", open + 4);
    return { name: "", isClosing: false, source: "", end: end === -1 ? html.length : end + 3 };
  }
  const [, slash, name = ""] = /^<(\/?)([a-z][a-z0-9-]{0,30}|[!?])/.exec(lower.slice(open, open + 40)) ?? [];
  if (name === "") return undefined;
  const close = html.indexOf(">", open);
  const end = close === -1 ? html.length : close + 1;
  return { name, isClosing: slash === "/", source: html.slice(open, Math.min(end, open + 4000)), end };
}

/** Undefined where it is never closed. That is taken for a mistake, except where code follows. */
function afterClosing(lower: string, name: string, from: number): number | undefined {
  const close = lower.indexOf(`</${name}`, from);
  if (close === -1) return name === "script" || name === "style" ? lower.length : undefined;
  const end = lower.indexOf(">", close);
  return end === -1 ? lower.length : end + 1;
}

function titleOf(html: string, lower: string): string {
  const start = lower.indexOf("<title");
  const from = start === -1 ? -1 : html.indexOf(">", start);
  if (from === -1) return "";
  const end = lower.indexOf("</title", from);
  const text = html.slice(from + 1, end === -1 ? from + 1 : Math.min(end, from + 1000));
  return decodeEntities(text).replaceAll(/\s+/g, " ").trim();
}

/** Undefined for what leads nowhere else. */
function linkOf(source: string, base: string): string | undefined {
  const [, double, single, bare] =
    /\shref\s{0,9}=\s{0,9}(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i.exec(source) ?? [];
  const href = decodeEntities(double ?? single ?? bare ?? "").trim();
  if (href === "" || href.startsWith("#")) return undefined;
  const url = URL.parse(href, base);
  return url && /^(?:https?|mailto):$/.test(url.protocol) ? url.href : undefined;
}

/** Without blanks at the ends of lines, and with at most one empty line in a row. */
function tidied(text: string): string {
  const lines = text.split("\n").map((line) => line.replaceAll(/ {2,}/g, " ").trim());
  return lines
    .filter((line, index) => line !== "" || (index > 0 && lines[index - 1] !== ""))
    .join("\n")
    .trim();
}
