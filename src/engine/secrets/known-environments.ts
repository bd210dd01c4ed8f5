/**
 * The values of `env` that sessions were given in this process, in memory only and longer than any actor. Another node may
 * be given others: where a log went on without us, or is another one, ours are not used again.
 */
import type { LogEnd } from "../ownership/acknowledged-heads.ts";

type Values = Readonly<Record<string, string>>;

interface Kept {
  readonly values: Values;
  /** Where its log ended when the session was last dropped here. Absent while it is loaded. */
  readonly end?: LogEnd;
}

export class KnownEnvironments {
  readonly #kept = new Map<string, Kept>();

  get(session: string): Record<string, string> | undefined {
    return this.#kept.get(session)?.values;
  }

  /** The session was just created: what another one of this id had is not for it. */
  created(session: string, values: Values | undefined): void {
    if (values) this.#kept.set(session, { values });
    else this.#kept.delete(session);
  }

  add(session: string, values: Values): void {
    const kept = this.#kept.get(session);
    this.#kept.set(session, { ...kept, values: { ...kept?.values, ...values } });
  }

  /** The session is dropped from memory. */
  dropped(session: string, end: LogEnd): void {
    const kept = this.#kept.get(session);
    if (kept) this.#kept.set(session, { ...kept, end });
  }

  /** It was read again, and its log ends here. */
  loaded(session: string, end: LogEnd): void {
    this.found(session, end);
    const kept = this.#kept.get(session);
    if (kept) this.#kept.set(session, { values: kept.values });
  }

  /** The log of a session that is not loaded ends here, as the store has it; undefined where there is none. */
  found(session: string, end: LogEnd | undefined): void {
    const known = this.#kept.get(session)?.end;
    const isOurs = known && end && known.createdAt === end.createdAt && end.head <= known.head;
    if (!isOurs) this.#kept.delete(session);
  }

  /** The sessions that are not loaded. */
  get unloaded(): string[] {
    return [...this.#kept].flatMap(([session, { end }]) => (end ? session : []));
  }

  forget(session: string): void {
    this.#kept.delete(session);
  }
}
