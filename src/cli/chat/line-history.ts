/** What was typed in earlier chats, kept in the data directory for its owner only. */
import { appendFileSync, existsSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { assertOwnFile, readPrivateFile, restrictToOwner } from "../../files/private-file.ts";

const FILE = "chat-history";
const MAX_LINES = 1000;
/** A longer one is a paste that nobody looks for. */
const MAX_LINE_LENGTH = 4000;
/** When the file is larger, its older lines go. */
const MAX_FILE_BYTES = 512 * 1024;

export class LineHistory {
  readonly #file: string;

  constructor(dataDirectory: string) {
    this.#file = join(dataDirectory, FILE);
  }

  /** Newest first. Nothing where it cannot be read: a chat works without. */
  read(): string[] {
    try {
      return this.#lines().reverse();
    } catch {
      return [];
    }
  }

  add(line: string): void {
    if (line.trim() === "" || line.length > MAX_LINE_LENGTH) return;
    try {
      // With a daemon elsewhere there may be no data directory here.
      if (!existsSync(dirname(this.#file))) return;
      restrictToOwner(this.#file);
      if ((assertOwnFile(this.#file)?.size ?? 0) > MAX_FILE_BYTES) this.#shorten();
      appendFileSync(this.#file, `${line}\n`, { mode: 0o600 });
    } catch {
      // The next chat has one line less.
    }
  }

  #lines(): string[] {
    return readPrivateFile(this.#file)?.split("\n").slice(-MAX_LINES) ?? [];
  }

  #shorten(): void {
    const kept: string[] = [];
    let bytes = 0;
    for (const line of this.#lines().reverse()) {
      bytes += Buffer.byteLength(line) + 1;
      if (bytes > MAX_FILE_BYTES / 2) break;
      kept.unshift(line);
    }
    const temporary = `${this.#file}.${process.pid}`;
    writeFileSync(temporary, `${kept.join("\n")}\n`, { flag: "wx", mode: 0o600 });
    renameSync(temporary, this.#file);
  }
}
