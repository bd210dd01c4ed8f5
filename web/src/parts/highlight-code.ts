/**
 * Colours of source code, as texts with the classes of `styles.css`. Loaded when code is shown; each language comes when
 * it is first needed. Nothing of the result is HTML.
 */
import hljs from "highlight.js/lib/core";
import { languageLoader } from "./code-languages.ts";

export interface CodeToken {
  text: string;
  className: string;
}

/** The lines of `code`; undefined where its language is not known. */
export async function highlightCode(code: string, language: string): Promise<CodeToken[][] | undefined> {
  const load = languageLoader(language);
  if (!load) return undefined;
  if (!hljs.getLanguage(load.name)) hljs.registerLanguage(load.name, (await load.import()).default);
  const { value } = hljs.highlight(code, { language: load.name, ignoreIllegals: true });
  return tokenLines(value);
}

const MARKUP = /<span class="([^"]*)">|<\/span>|([^<]+)/g;
const ENTITIES: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#x27;": "'",
};

/** What highlight.js writes: nested spans and escaped text, nothing else. */
export function tokenLines(markup: string): CodeToken[][] {
  const lines: CodeToken[][] = [[]];
  const open: string[] = [];
  for (const [whole, opened, text] of markup.matchAll(MARKUP)) {
    if (opened !== undefined) open.push(opened);
    else if (text === undefined) open.pop();
    else {
      const className = open.findLast((name) => name.startsWith("hljs-")) ?? "";
      const plain = whole.replace(/&(?:amp|lt|gt|quot|#x27);/g, (entity) => ENTITIES[entity]!);
      for (const [index, part] of plain.split("\n").entries()) {
        if (index > 0) lines.push([]);
        if (part !== "") lines.at(-1)!.push({ text: part, className });
      }
    }
  }
  return lines;
}
