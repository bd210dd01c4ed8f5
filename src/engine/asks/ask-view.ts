/** An ask as clients see it: what was asked, and how it was answered. */
import type { EventOf } from "../../core/event.ts";
import type { AskRow } from "../../core/store.ts";
import type { AskView } from "../../protocol/commands/command-types.ts";

export function askView(session: string, row: AskRow): AskView {
  const {
    type: _type,
    raw: _raw,
    native: _native,
    ...opened
  } = JSON.parse(row.opened) as EventOf<"ask.opened">;
  return {
    ...opened,
    session,
    state: row.state,
    ...(row.answered !== undefined && { answer: answerView(JSON.parse(row.answered)) }),
    outcome: row.outcome,
  };
}

export function answerView(event: EventOf<"ask.answered">): NonNullable<AskView["answer"]> {
  const { option, effect, answers, message, input, by, at } = event;
  return { option, effect, answers, message, input, by, at };
}
