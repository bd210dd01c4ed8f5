/** The conditions of a query and their values. */
import type { OnlyThese } from "../../core/store.ts";

export class Conditions {
  readonly #conditions: string[] = [];
  readonly values: (string | number)[] = [];

  add(condition: string, ...values: (string | number)[]): void {
    this.#conditions.push(condition);
    this.values.push(...values);
  }

  /** For a text that may be absent; then there is no condition. */
  addText(condition: string, text: string | undefined): void {
    if (text !== undefined) this.add(condition, text);
  }

  /** Limits a query over sessions to certain ones, however many. */
  addOnly({ sessions, agents }: OnlyThese = {}): void {
    if (sessions) this.add("session.key IN (SELECT value FROM json_each(?))", JSON.stringify(sessions));
    if (agents) this.add("session.agent IN (SELECT value FROM json_each(?))", JSON.stringify(agents));
  }

  /** The clause; empty where there are no conditions. */
  get where(): string {
    return this.#conditions.length === 0 ? "" : `WHERE ${this.#conditions.join(" AND ")}`;
  }
}
