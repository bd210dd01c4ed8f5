/** Limits a query over sessions to certain ones, however many. */
import type { OnlyThese } from "../../core/store.ts";

export function onlyConditions({ sessions, agents }: OnlyThese = {}): { condition: string; value: string }[] {
  const among = (column: string, values: readonly string[] | undefined) =>
    values === undefined
      ? []
      : [{ condition: `${column} IN (SELECT value FROM json_each(?))`, value: JSON.stringify(values) }];
  return [...among("session.key", sessions), ...among("session.agent", agents)];
}
