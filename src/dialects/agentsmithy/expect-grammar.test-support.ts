/** The order of events that AgentSmithy's document promises, checked over the frames of a response. */
import { isAbsolute } from "node:path";
import { expect } from "vitest";
import type { EventOf, SessionEvent } from "../../core/event.ts";
import type { Frame } from "../dialect.ts";
import { isAnswerable } from "./outbound/ask-text.ts";
import { ResponseView } from "./outbound.ts";

type Json = Record<string, unknown> & { type: string };

/** The fields of each type besides `type` and `dialog_id`; a question mark for those that may be missing. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  user: ["content", "checkpoint?"],
  chat_start: [],
  chat: ["content"],
  chat_end: [],
  reasoning_start: [],
  reasoning: ["content"],
  reasoning_end: [],
  summary_start: [],
  summary_end: [],
  tool_call: ["name", "args"],
  file_edit: ["file", "diff?"],
  error: ["error"],
  done: ["done"],
};

const FRAME = /^data: (\{[^\r\n]*\})\n\n$/;

/** `isComplete`: the response has ended, so `done` is there. */
export function expectGrammar(frames: readonly Frame[], { isComplete = true } = {}): Json[] {
  const events = frames.map(({ text }) => {
    expect(text, "a frame is one data line").toMatch(FRAME);
    return JSON.parse(FRAME.exec(text)![1]!) as Json;
  });
  let open: string | undefined;
  for (const [place, event] of events.entries()) {
    expectFields(event);
    const [kind, edge] = event.type.split("_") as [string, string | undefined];
    if (edge === "start") {
      expect(open, `${event.type} opens nothing inside another segment`).toBeUndefined();
      open = kind;
    } else if (edge === "end") {
      expect(open, `${event.type} closes what is open`).toBe(kind);
      open = undefined;
    } else
      expect(open, `${event.type} inside its segment alone`).toBe(
        isSegment(event.type) ? event.type : undefined,
      );
    if (event.type === "user") expect(place, "user comes first, and once").toBe(0);
    if (event.type === "error") expect(events[place + 1]?.type, "done follows an error").toBe("done");
    if (event.type === "done") expect(place, "done comes last").toBe(events.length - 1);
  }
  if (!isComplete) return events;
  expect(events[0]?.type).toBe("user");
  expect(events.at(-1)?.type).toBe("done");
  return events;
}

function isSegment(type: string): boolean {
  return type === "chat" || type === "reasoning";
}

function expectFields({ type, dialog_id, ...fields }: Json): void {
  expect(Object.keys(FIELDS), "a documented type").toContain(type);
  expect(typeof dialog_id).toBe("string");
  const known = FIELDS[type]!.map((name) => name.replace("?", ""));
  const needed = FIELDS[type]!.filter((name) => !name.endsWith("?"));
  expect(known, `fields of ${type}`).toEqual(expect.arrayContaining(Object.keys(fields)));
  expect(Object.keys(fields), `fields of ${type}`).toEqual(expect.arrayContaining(needed));
  if (type === "tool_call") expect(fields.args).toBeTypeOf("object");
  if (type !== "file_edit") return;
  const file = fields.file as string;
  expect(isAbsolute(file), `${file} is absolute`).toBe(true);
  if (fields.diff !== undefined)
    expect(fields.diff).toMatch(
      new RegExp(`^--- a/${escapeRegExp(file)}\n\\+\\+\\+ b/${escapeRegExp(file)}\n`),
    );
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** The response to each prompt and to each answer of a log. */
export function expectResponses(log: readonly SessionEvent[]): void {
  for (const event of log) {
    if (event.type === "prompt.accepted") expectResponse(log, event, { prompt: event.message });
    if (
      event.type === "ask.opened" &&
      event.turn !== undefined &&
      isAnswerable(event) &&
      isAnswered(log, event)
    )
      expectResponse(log, event, { ask: event.ask });
  }
}

function expectResponse(
  log: readonly SessionEvent[],
  first: SessionEvent,
  to: { prompt: string } | { ask: string },
): void {
  const view = new ResponseView({ dialog: "01J", cwd: "/project", page: "http://page/", to });
  const frames = log.filter(({ seq }) => seq >= first.seq).flatMap((event) => [...view.add(event)]);
  expectGrammar(frames, { isComplete: view.isDone });
  const last = [...frames, ...view.cutOff("a test")];
  if (frames.length > 0) expectGrammar(last);
}

function isAnswered(log: readonly SessionEvent[], { ask }: EventOf<"ask.opened">): boolean {
  return log.some((event) => event.type === "ask.answered" && event.ask === ask);
}
