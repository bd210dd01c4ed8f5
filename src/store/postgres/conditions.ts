/** The conditions of a query and their values, numbered as PostgreSQL wants it. */
import type { OnlyThese } from "../../core/store.ts";
import type { Value } from "./connection.ts";
import { encodeText } from "./stored-text.ts";

export class Conditions {
  readonly #conditions: string[] = [];
  readonly values: Value[] = [];

  /** Each `?` stands for the next of the values. */
  add(condition: string, ...values: Value[]): void {
    let next = this.values.length;
    this.#conditions.push(
      condition.replaceAll("?", () => {
        next += 1;
        return `$${next}`;
      }),
    );
    this.values.push(...values);
  }

  /** For a text that may be absent; then there is no condition. */
  addText(condition: string, text: string | undefined): void {
    if (text !== undefined) this.add(condition, encodeText(text));
  }

  addOnly({ sessions, agents }: OnlyThese = {}): void {
    if (sessions) this.add("session.key = ANY(?::text[])", sessions.map(encodeText));
    if (agents) this.add("session.agent = ANY(?::text[])", agents.map(encodeText));
  }

  /** For the same values, in a statement that has these conditions already. */
  withoutSql(): Conditions {
    const rest = new Conditions();
    rest.values.push(...this.values);
    return rest;
  }

  get sql(): string {
    return this.#conditions.length === 0 ? "true" : this.#conditions.join(" AND ");
  }
}
