/** Makes records of an agent's stderr, and keeps a chatty agent from filling the log with it. */
import type { RawDraft } from "../../core/raw-record.ts";

const WINDOW_MS = 1000;
const LINES_PER_WINDOW = 200;
const LINE_LENGTH = 4096;

/**
 * Lines over the limit are counted, and the count is a record of its own before the next line that is kept. The
 * tail of stderr in the exit record is not limited by this.
 *
 * @example
 * const stderr = new StderrRecords();
 * const process = await host.spawn({ …, onStderrLine: (line) => stderr.push(line) });
 * stderr.listen((record) => queue.push(record));
 */
export class StderrRecords {
  readonly #now: () => number;
  /** Lines may come before anybody listens: the agent is started first. */
  #early: RawDraft[] = [];
  #listener = (record: RawDraft): void => void this.#early.push(record);
  #windowStart = Number.NEGATIVE_INFINITY;
  #linesInWindow = 0;
  #leftOut = 0;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  push(line: string): void {
    const now = this.#now();
    if (now - this.#windowStart >= WINDOW_MS) {
      this.#windowStart = now;
      this.#linesInWindow = 0;
    }
    this.#linesInWindow += 1;
    if (this.#linesInWindow > LINES_PER_WINDOW) {
      this.#leftOut += 1;
      return;
    }
    this.end();
    this.#report(line.length > LINE_LENGTH ? `${line.slice(0, LINE_LENGTH)}…` : line);
  }

  /** Reports what was left out since the last line that was kept. */
  end(): void {
    if (this.#leftOut === 0) return;
    const leftOut = this.#leftOut;
    this.#leftOut = 0;
    this.#report(`[${leftOut} lines left out]`, { leftOut });
  }

  listen(listener: (record: RawDraft) => void): void {
    this.#listener = listener;
    for (const record of this.#early.splice(0)) listener(record);
  }

  #report(text: string, extra: object = {}): void {
    this.#listener({ direction: "process", data: { event: "stderr", text, ...extra } });
  }
}
