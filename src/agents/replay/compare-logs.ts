/** Compares a log with a replay of its raw records and finds the first event in which they differ. */
import { isDeepStrictEqual } from "node:util";
import type { SessionEvent } from "../../core/event.ts";
import {
  type ComparableEvent,
  type ComparableLog,
  type ComparableOptions,
  ENDED_BY_ENGINE,
  SETTINGS,
  toComparableLog,
} from "./comparable-log.ts";

export interface LogDifference {
  /** Where in the stored log; the end of it when the replay goes on. */
  readonly seq: number;
  readonly stored?: SessionEvent;
  readonly replayed?: SessionEvent;
}

interface CompareOptions extends ComparableOptions {
  /** A turn is running: one of the logs may be further than the other. */
  readonly isRunning?: boolean;
}

/** Undefined when they are the same up to ids, times and what the raw records do not tell. */
export function compareLogs(
  stored: readonly SessionEvent[],
  replayed: readonly SessionEvent[],
  { isRunning = false, ...options }: CompareOptions = {},
): LogDifference | undefined {
  const left = toComparableLog(stored, options);
  const right = toComparableLog(replayed, options);
  const stopped = stoppedTurns(stored);
  const unanswered = asksWithUntoldAnswers(left);
  const groups = [...new Set([...left.keys(), ...right.keys()])];
  const differences = groups.flatMap((group) => {
    const [here, there] = [left, right].map((log) =>
      (log.get(group) ?? []).filter((entry) => !isUntoldAnswer(entry, unanswered)),
    ) as [ComparableEvent[], ComparableEvent[]];
    const length = isRunning ? Math.min(here.length, there.length) : Math.max(here.length, there.length);
    for (let place = 0; place < length; place += 1) {
      const [one, other] = [here[place], there[place]];
      if (one && other && isSame(one, other, stopped)) continue;
      return [{ seq: one?.event.seq ?? stored.length, stored: one?.event, replayed: other?.event }];
    }
    return [];
  });
  return differences.sort((a, b) => a.seq - b.seq)[0];
}

function isSame(stored: ComparableEvent, replayed: ComparableEvent, stopped: ReadonlySet<string>): boolean {
  const { raw } = stored.event;
  if (raw !== undefined && raw !== replayed.event.raw) return false;
  const untold = untoldFields(stored.event, stopped);
  // As JSON: one of them has been stored, and what is undefined was not.
  const told = ({ fields }: ComparableEvent): unknown => {
    const kept = Object.entries(fields).filter(([field]) => !untold.has(field));
    return JSON.parse(JSON.stringify(Object.fromEntries(kept)));
  };
  return isDeepStrictEqual(told(stored), told(replayed));
}

/** The fields of a stored event that were not made from what was said. */
function untoldFields(event: SessionEvent, stopped: ReadonlySet<string>): ReadonlySet<string> {
  const untold: string[] = [];
  // Words of the engine for what it closed itself.
  if (event.raw === undefined) untold.push("reason");
  // A stop may cross the end of its turn, or end the agent.
  if (event.turn !== undefined && stopped.has(event.turn)) untold.push("outcome", "error", "reason");
  // How much fits into an event is a setting.
  if ("truncatedFrom" in event) untold.push("output", "truncatedFrom");
  switch (event.type) {
    case "message.started":
      // Somebody may have set it while no agent ran.
      untold.push("model");
      break;
    case "turn.ended":
      untold.push("model");
      if (ENDED_BY_ENGINE.includes(event.error?.code)) untold.push("outcome", "error");
      break;
    case "tool.abandoned":
      // The log knows it of what was stopped, also by what no agent was told: a session that was closed.
      untold.push("stopped");
      break;
    case "ask.answered":
      // Of an answer in secret the log and the record have placeholders of their own.
      if (Object.values(event.answers ?? {}).some((values) => values.includes("[secret]")))
        untold.push("answers");
      break;
    case "ask.closed":
      if (hasUntoldAnswer(event)) untold.push("outcome");
      break;
    case "session.updated":
      untold.push(...SETTINGS);
      break;
    case "session.detached":
      // Where the exit was not seen.
      untold.push(...(["code", "signal"] as const).filter((field) => event[field] == null));
  }
  return new Set(untold);
}

function stoppedTurns(log: readonly SessionEvent[]): ReadonlySet<string> {
  return new Set(log.flatMap((event) => (event.type === "turn.stopping" ? [event.turn] : [])));
}

/** By the name they are compared with. */
function asksWithUntoldAnswers(log: ComparableLog): ReadonlySet<unknown> {
  const closed = log.get("ask.closed") ?? [];
  return new Set(closed.flatMap(({ event, fields }) => (hasUntoldAnswer(event) ? [fields.ask] : [])));
}

/**
 * When nobody answers in time, the agent is told no; to it that is an answer like any other. An answer stands in the log
 * before it is sent: of one that did not get through, or whose sending was cut off, there may be no record.
 */
function hasUntoldAnswer(event: SessionEvent): boolean {
  if (event.type !== "ask.closed") return false;
  return event.outcome === "expired" || (event.outcome === "answered" && !event.delivered);
}

function isUntoldAnswer({ event, fields }: ComparableEvent, unanswered: ReadonlySet<unknown>): boolean {
  return event.type === "ask.answered" && unanswered.has(fields.ask);
}
