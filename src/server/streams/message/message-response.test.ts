import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SessionEvent } from "../../../core/event.ts";
import type { UIMessageChunk } from "../../../dialects/ai-sdk/chunk.ts";
import { assistantMessages, liveChunks } from "../../../dialects/ai-sdk/expect-consistent.test-support.ts";
import { askOf, joinSegments, splitSegments, untilOpenAsk } from "../../../dialects/ai-sdk/segments.ts";
import { DONE_FRAME, toSseFrame } from "../../../dialects/ai-sdk/sse.ts";
import { createView, messageFormat } from "../../../dialects/ai-sdk/view.ts";
import type { ResponseStart } from "../../../dialects/dialect.ts";
import { begin, call, permission, text, YES } from "../../../testkit/conversation.ts";
import { randomLog } from "../../../testkit/random-log.ts";
import { LogSlice } from "../log-slice.ts";
import { MessageResponse } from "./message-response.ts";
import { MessageTrack } from "./message-track.ts";

/** Everything a response sends that reads a log in stretches of `size` events and is then level. */
function respond(
  log: readonly SessionEvent[],
  message: string,
  { segments = 0, frames = 0, acrossAsks }: Partial<ResponseStart> = {},
  size = 3,
): string {
  let sent = "";
  const response = new MessageResponse(
    messageFormat(),
    { segments, frames, acrossAsks },
    {
      write: (frame) => {
        sent += frame.plain.toString();
      },
      writeText: (text) => {
        sent += text;
      },
      end: () => {},
    },
  );
  const start = log.find((event) => event.type === "message.started" && event.message === message)!.seq;
  const track = new MessageTrack(start, createView());
  for (let index = start - 1; index < log.length; index += size) {
    const events = log
      .slice(index, index + size)
      .map((event) => ({ seq: event.seq, json: JSON.stringify(event) }));
    const slice = new LogSlice(events);
    response.take(track.take(slice), slice.first, slice.last);
  }
  response.level(message);
  return sent;
}

function openAsks(log: readonly SessionEvent[]): Set<string> {
  const open = new Set<string>();
  for (const event of log) {
    if (event.type === "ask.opened") open.add(event.ask);
    if (event.type === "ask.answered" || event.type === "ask.closed") open.delete(event.ask);
  }
  return open;
}

const textOf = (chunks: readonly UIMessageChunk[]) => chunks.map(toSseFrame).join("");

describe("a response", () => {
  it("carries what the segments of any message say, from any place and up to the open ask", () => {
    fc.assert(
      fc.property(randomLog, fc.nat(), fc.nat(4), fc.nat(12), fc.integer({ min: 1, max: 9 }), (...drawn) => {
        const [whole, cut, skipped, chunks, size] = drawn;
        const log = whole.slice(0, 1 + (cut % whole.length));
        const message = assistantMessages(log).at(-1);
        if (message === undefined) return;
        const all = splitSegments(liveChunks(log, message));
        const open = openAsks(log);
        const possible = untilOpenAsk(all, (ask) => open.has(ask));
        const segments = Math.min(skipped, possible.filter((one) => askOf(one) !== undefined).length);
        const given = possible.slice(segments);
        const isWaiting = all.some((segment) => open.has(askOf(segment) ?? ""));
        const empty: UIMessageChunk[] = [
          { type: "start", messageId: message },
          { type: "finish", finishReason: "tool-calls" },
        ];
        const joined = given.length === 0 && isWaiting ? empty : joinSegments(given);
        // At a seam that is answered the response goes on, and what would end it is not sent.
        const last = given.at(-1);
        const isAtSeam = last !== undefined && askOf(last) !== undefined && !isWaiting;
        const shown = isAtSeam ? joined.slice(0, -1) : joined;
        const isDone = isWaiting || shown.at(-1)?.type === "finish";
        expect(respond(log, message, { segments, frames: chunks }, size)).toBe(
          textOf(shown.slice(chunks)) + (isDone ? DONE_FRAME : ""),
        );
      }),
      { numRuns: 2000 },
    );
  });

  it("goes on at an open ask where that is wanted, with the chunks it has once all are answered", () => {
    fc.assert(
      fc.property(
        randomLog,
        fc.nat(),
        fc.nat(12),
        fc.integer({ min: 1, max: 9 }),
        (whole, cut, frames, size) => {
          const log = whole.slice(0, 1 + (cut % whole.length));
          const message = assistantMessages(log).at(-1);
          if (message === undefined) return;
          const segments = splitSegments(liveChunks(log, message));
          const joined = joinSegments(segments);
          const isAtSeam = askOf(segments.at(-1) ?? []) !== undefined;
          const shown = isAtSeam ? joined.slice(0, -1) : joined;
          const isDone = shown.at(-1)?.type === "finish";
          expect(respond(log, message, { frames, acrossAsks: true }, size)).toBe(
            textOf(shown.slice(frames)) + (isDone ? DONE_FRAME : ""),
          );
        },
      ),
      { numRuns: 1000 },
    );
  });

  it("goes over a seam that is answered as if it were not there", () => {
    const { log } = begin()
      .agent(...call("c1", "Bash", {}), permission("q1", "c1"))
      .answer(YES)
      .agent({ type: "tool.output", call: "c1", output: "" }, ...text("b", "ok"))
      .end();
    const [message] = assistantMessages(log);
    const sent = respond(log, message!);
    expect(sent.match(/"type":"start"/g)).toHaveLength(1);
    expect(sent.match(/"type":"finish"/g)).toHaveLength(1);
    expect(sent).not.toContain("tool-calls");
  });

  it("has a beginning and an end also when the client has all there is", () => {
    const { log } = begin().agent(...call("c1", "Bash", {}), permission("q1", "c1"));
    const [message] = assistantMessages(log);
    expect(respond(log, message!, { segments: 1 })).toBe(
      textOf([
        { type: "start", messageId: message! },
        { type: "finish", finishReason: "tool-calls" },
      ]) + DONE_FRAME,
    );
  });

  it("does not hold back without end what comes while a person is asked", () => {
    const { log } = begin().agent(...call("c1", "Bash", {}), permission("q1", "c1"));
    const response = new MessageResponse(
      messageFormat(),
      { segments: 0, frames: 0 },
      { write() {}, writeText() {}, end() {} },
    );
    const [message] = assistantMessages(log);
    const start = log.findIndex((event) => event.type === "message.started");
    const track = new MessageTrack(log[start]!.seq, createView());
    const take = (events: readonly SessionEvent[]) => {
      const slice = new LogSlice(events.map((event) => ({ seq: event.seq, json: JSON.stringify(event) })));
      response.take(track.take(slice), slice.first, slice.last);
    };
    take(log.slice(start));
    expect(response.isOverfull).toBe(false);
    const last = log.at(-1)!;
    const notice = {
      ...last,
      seq: last.seq + 1,
      type: "notice",
      level: "info",
      code: "x",
      text: "y".repeat(2 ** 21),
    };
    take([notice as unknown as SessionEvent]);
    expect(response.isOverfull).toBe(true);
    response.level(message!);
    expect(response.isDone).toBe(true);
  });
});
