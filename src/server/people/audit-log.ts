/** Writes down who did what, in batches, so that nobody waits for it. */
import type { Logger } from "pino";
import type { AuditEntry, AuditPage, AuditQuery, PeopleStore } from "../../core/people-store.ts";
import type { AuditSink } from "./audit-sink.ts";

export interface AuditLogDependencies {
  store: Pick<PeopleStore, "appendAudit" | "readAudit">;
  logger: Pick<Logger, "warn">;
}

/** How long entries wait for others. */
const BATCH_DELAY_MS = 200;
const MAX_BATCH_ENTRIES = 1000;
/** What waits while it cannot be written. More is not noted. */
const MAX_WAITING_ENTRIES = 10_000;
const MAX_DETAIL_LENGTH = 500;

/** While the store cannot be written, entries wait, and a warning is logged once. What writes never throws. */
export class AuditLog implements AuditSink {
  readonly #store: AuditLogDependencies["store"];
  readonly #logger: AuditLogDependencies["logger"];
  #waiting: AuditEntry[] = [];
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #isFailing = false;
  #lost = 0;

  constructor({ store, logger }: AuditLogDependencies) {
    this.#store = store;
    this.#logger = logger;
  }

  /** Is written soon. */
  note(entry: AuditEntry): void {
    this.#add(entry);
    if (this.#waiting.length === MAX_BATCH_ENTRIES) void this.flush();
    this.#timer ??= setTimeout(() => void this.flush(), BATCH_DELAY_MS).unref();
  }

  /** Resolves when it is on disk, with everything that was noted before, or could not be written. */
  write(entry: AuditEntry): Promise<void> {
    this.#add(entry);
    return this.flush();
  }

  /** Resolves when what was noted is on disk, or could not be written. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.then(() => this.#writeWaiting());
    return this.#writing;
  }

  /** With what was noted just now. For whoever has the right to read it. */
  async read(query: AuditQuery): Promise<AuditPage> {
    await this.flush();
    return this.#store.readAudit(query);
  }

  #add(entry: AuditEntry): void {
    if (this.#waiting.length >= MAX_WAITING_ENTRIES) {
      this.#lost += 1;
      return;
    }
    const { detail } = entry;
    this.#waiting.push(
      detail === undefined ? entry : { ...entry, detail: detail.slice(0, MAX_DETAIL_LENGTH) },
    );
  }

  async #writeWaiting(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, MAX_BATCH_ENTRIES);
      try {
        await this.#store.appendAudit(batch);
      } catch (error) {
        if (!this.#isFailing)
          this.#logger.warn({ err: error }, "who did what could not be written down; it is tried again");
        this.#isFailing = true;
        return;
      }
      this.#waiting = this.#waiting.slice(batch.length);
      this.#isFailing = false;
    }
    if (this.#lost > 0)
      this.#logger.warn({ entries: this.#lost }, "some of who did what was not written down");
    this.#lost = 0;
  }
}
