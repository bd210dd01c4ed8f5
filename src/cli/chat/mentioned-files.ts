/** Files that a prompt mentions: `@src/main.ts`, or `@"my notes.md"`. They go along with it. */
import { readdirSync, realpathSync, statSync } from "node:fs";
import { dirname, extname, join, resolve, sep } from "node:path";
import { trimEndOf } from "../../core/trim-end-of.ts";
import type { PromptInput, PromptPart } from "../../sdk/index.ts";
import { attachedFile } from "../run/attached-file.ts";

const MENTION = /(?<=^|\s)@(?:"([^"\n]+)"|([^\s"]+))/g;
/** What is being typed, up to the cursor. */
const UNFINISHED = /(?<=^|\s)@(?:"([^"\n]*)|([^\s"]*))$/;

/** An agent cannot look at these with its tools for text. */
const ATTACHED: ReadonlySet<string> = new Set([".png", ".jpg", ".jpeg", ".gif", ".webp", ".pdf"]);
const MAX_COMPLETIONS = 100;

export interface MentionedFiles {
  /** The text, and each file in the directory that it mentions: pictures themselves, of the others where they are. */
  readonly input: PromptInput;
  /** What looks like such a file and is none. */
  readonly missing: readonly string[];
}

export function promptWithMentions(text: string, directory: string): MentionedFiles {
  const paths = new Set<string>();
  const missing = new Set<string>();
  for (const [, quoted, plain = ""] of text.matchAll(MENTION)) {
    const name = quoted ?? trimEndOf(plain, /[.,;:!?)]/);
    const path = fileIn(directory, quoted ?? plain) ?? fileIn(directory, name);
    if (path !== undefined) paths.add(path);
    else if (quoted !== undefined || /[./]/.test(name)) missing.add(name);
  }
  const parts = [...paths].map((path) => partOf(directory, path));
  return { input: parts.length > 0 ? [{ type: "text", text }, ...parts] : text, missing: [...missing] };
}

function partOf(directory: string, path: string): PromptPart {
  if (ATTACHED.has(extname(path).toLowerCase())) return attachedFile(directory, path);
  return { type: "context", path };
}

/** Its real path; undefined for what is not there, or elsewhere. */
function fileIn(directory: string, name: string): string | undefined {
  if (name === "") return undefined;
  try {
    const root = realpathSync(directory);
    const path = realpathSync(resolve(root, name));
    if (path !== root && !path.startsWith(root + sep)) return undefined;
    const stats = statSync(path);
    return stats.isFile() || stats.isDirectory() ? path : undefined;
  } catch {
    return undefined;
  }
}

/** What the mention at the end of the line can become, and what it is now; undefined when there is none. */
export function completeMention(line: string, directory: string): [string[], string] | undefined {
  const found = UNFINISHED.exec(line);
  if (!found) return undefined;
  const [mention, quoted, plain = ""] = found;
  const typed = quoted ?? plain;
  const folder = typed.endsWith("/") ? typed : join(dirname(`${typed}x`), "/").replace(/^\.\//, "");
  const beginning = typed.slice(folder.length);
  const isHidden = (name: string) => name.startsWith(".") && !beginning.startsWith(".");
  const names = namesIn(directory, folder).filter((name) => name.startsWith(beginning) && !isHidden(name));
  return [names.slice(0, MAX_COMPLETIONS).map((name) => mentionOf(folder + name)), mention];
}

/** Folders end with a slash, so that completing goes on inside. */
function namesIn(directory: string, folder: string): string[] {
  const path = folder === "" ? fileIn(directory, ".") : fileIn(directory, folder);
  if (path === undefined) return [];
  try {
    const entries = readdirSync(path, { withFileTypes: true });
    return entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).sort();
  } catch {
    return [];
  }
}

/** The quote is closed by the person, or by the end of the line: a folder is not yet all of it. */
function mentionOf(path: string): string {
  if (!/\s/.test(path)) return `@${path}`;
  return path.endsWith("/") ? `@"${path}` : `@"${path}"`;
}
