/** What an agent said while it was being started. It goes into the log only if the start fails: else the session gives it. */
import { NEVER_READY, type RawDraft } from "../../core/raw-record.ts";
import type { SecretMask } from "../secrets/secret-mask.ts";
import type { SessionLog } from "../session/session-log.ts";

/** The first says what was started, the newest say why it failed. Those between them are dropped. */
const MAX_RECORDS = 500;
const MAX_LENGTH = 2 * 1024 * 1024;
/** Of a longer line only its length is kept. */
const MAX_LINE_LENGTH = 256 * 1024;

export class StartRecords {
  #records: RawDraft[] = [];
  #length = 0;
  #exit: Readonly<Record<string, unknown>> = {};

  /** How the last process ended, where one did: its exit code or its signal. */
  get exit(): { exit?: unknown; signal?: unknown } {
    const { code, signal } = this.#exit;
    return { ...(code != null && { exit: code }), ...(signal != null && { signal }) };
  }

  add(raw: RawDraft): void {
    if (raw.direction === "process" && raw.data.event === "exit") this.#exit = raw.data;
    const record = bounded(raw);
    this.#records.push(record);
    this.#length += lengthOf(record);
    while (this.#records.length > 1 && (this.#records.length > MAX_RECORDS || this.#length > MAX_LENGTH))
      this.#length -= lengthOf(this.#records.splice(1, 1)[0]!);
  }

  /** Puts them into the log, masked. The number of the last one; undefined where there are none. */
  write(log: SessionLog, mask: SecretMask, { isLate }: { isLate: boolean }): number | undefined {
    const records = this.#records;
    this.#records = [];
    if (records.length === 0) return undefined;
    // It was ended after that, and nobody waited for its exit.
    if (isLate) records.push({ direction: "process", data: { event: "timeout" } });
    let last: number | undefined;
    for (const record of records) last = log.record(mask.record(record), NEVER_READY);
    return last;
  }
}

function bounded(raw: RawDraft): RawDraft {
  if (raw.direction === "process" || raw.data.length <= MAX_LINE_LENGTH) return raw;
  return { ...raw, data: `[left out: the line had ${raw.data.length} characters]` };
}

function lengthOf({ data }: RawDraft): number {
  return typeof data === "string" ? data.length : JSON.stringify(data).length;
}
