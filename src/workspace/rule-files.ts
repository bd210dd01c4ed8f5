/**
 * Reads the ignore rules of one checkpoint that are not in its tree, one file after the other, and no more than a limit. Files
 * without a rule do not count: git makes one in each new repository.
 */
import { HungError } from "../files/read-gate.ts";
import { readRegularFile } from "../files/regular-file.ts";
import { BYTES } from "./git.ts";

const MAX_RULE_FILES = 64;
/** All of them together become part of the checkpoint's record. */
const MAX_TOTAL_BYTES = 8 * 2 ** 20;
/** Neither blank nor a comment. */
const RULE_LINE = /^(?!#).*\S/m;
/** The rest is counted. */
const MAX_NOTICES = 10;

export class RuleFiles {
  readonly #texts = new Map<string, string>();
  readonly #problems = new Map<string, string>();
  #files = 0;
  #bytes = 0;

  /**
   * As latin1; empty for a file that is refused, and where there is none.
   *
   * @param links Only a file that the user has chosen may be a link.
   */
  async read(path: string, links: "refuse" | "own" = "refuse"): Promise<string> {
    const known = this.#texts.get(path);
    const text = known ?? (await this.#read(path, links));
    this.#texts.set(path, text);
    this.#bytes += text.length;
    if (this.#bytes <= MAX_TOTAL_BYTES) return text;
    this.refuse(path, `the ignore rules of this directory have more than ${MAX_TOTAL_BYTES / 2 ** 20} MB.`);
    return "";
  }

  isRefused(path: string): boolean {
    return this.#problems.has(path);
  }

  refuse(path: string, reason: string): void {
    this.#problems.set(path, reason);
  }

  /** A sentence for each file that is ignored. */
  get notices(): readonly string[] {
    const all = [...this.#problems].map(
      ([path, reason]) => `The ignore rules in ${path} are not used: ${reason}`,
    );
    const more = all.length - MAX_NOTICES;
    if (more <= 0) return all;
    return [...all.slice(0, MAX_NOTICES), `${more} more files with ignore rules are not used.`];
  }

  async #read(path: string, links: "refuse" | "own"): Promise<string> {
    try {
      const text = (await readRegularFile(path, { links })).toString(BYTES);
      if (!RULE_LINE.test(text)) return text;
      this.#files += 1;
      if (this.#files <= MAX_RULE_FILES) return text;
      this.refuse(path, `a checkpoint uses at most ${MAX_RULE_FILES} files with ignore rules.`);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (error instanceof HungError) throw error;
      if (code !== "ENOENT" && code !== "ENOTDIR") this.refuse(path, sentence(message));
    }
    return "";
  }
}

function sentence(message: string): string {
  return `${message.replace(/\.$/, "")}.`;
}
