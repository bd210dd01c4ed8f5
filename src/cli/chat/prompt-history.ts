/** The prompts of earlier chats, kept in the data directory for its owner only. */
import { appendFileSync, existsSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { assertOwnFile, readPrivateFile, restrictToOwner } from "../../files/private-file.ts";

const FILE = "chat-history";
const MAX_PROMPTS = 1000;
/** A longer one is a paste that nobody looks for. */
const MAX_PROMPT_LENGTH = 4000;
/** When the file is larger, its older prompts go. */
const MAX_FILE_BYTES = 512 * 1024;

export class PromptHistory {
  readonly #file: string;

  constructor(dataDirectory: string) {
    this.#file = join(dataDirectory, FILE);
  }

  /** Newest first. Nothing where it cannot be read: a chat works without. */
  read(): string[] {
    try {
      return this.#prompts().reverse();
    } catch {
      return [];
    }
  }

  add(prompt: string): void {
    if (prompt.trim() === "" || prompt.length > MAX_PROMPT_LENGTH) return;
    try {
      // With a daemon elsewhere there may be no data directory here.
      if (!existsSync(dirname(this.#file))) return;
      restrictToOwner(this.#file);
      if ((assertOwnFile(this.#file)?.size ?? 0) > MAX_FILE_BYTES) this.#shorten();
      appendFileSync(this.#file, encodePrompt(prompt), { mode: 0o600 });
    } catch {
      // The next chat has one prompt less.
    }
  }

  #prompts(): string[] {
    return decodePrompts(readPrivateFile(this.#file) ?? "").slice(-MAX_PROMPTS);
  }

  #shorten(): void {
    const kept: string[] = [];
    let bytes = 0;
    for (const prompt of this.#prompts().reverse()) {
      const text = encodePrompt(prompt);
      bytes += Buffer.byteLength(text);
      if (bytes > MAX_FILE_BYTES / 2) break;
      kept.unshift(text);
    }
    const temporary = `${this.#file}.${process.pid}`;
    writeFileSync(temporary, kept.join(""), { flag: "wx", mode: 0o600 });
    renameSync(temporary, this.#file);
  }
}

/** As it can be typed: each line but the last ends with a backslash. */
function encodePrompt(prompt: string): string {
  return `${prompt.replaceAll("\n", "\\\n")}\n`;
}

function decodePrompts(text: string): string[] {
  const prompts = text.replaceAll("\\\n", "\0").split("\n");
  return prompts.filter((prompt) => prompt !== "").map((prompt) => prompt.replaceAll("\0", "\n"));
}
