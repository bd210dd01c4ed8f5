/** A dialect without streams: it prompts, waits, and answers with all that was said. */
import { z } from "@hono/zod-openapi";
import type { SessionEvent } from "../../src/core/event.ts";
import type { Dialect, MessageFormat, MessageFrame, View } from "../../src/dialects/dialect.ts";
import { defineRoute, jsonBody } from "../../src/protocol/define-route.ts";

const ask = defineRoute({
  method: "post",
  path: "/answer/{id}",
  operationId: "ask",
  right: "session.prompt",
  summary: "The whole answer to a prompt",
  tags: ["answer"],
  request: { params: z.object({ id: z.string() }), body: jsonBody(z.object({ text: z.string() })) },
  responses: { 200: { description: "The text", content: { "text/plain": { schema: z.string() } } } },
});

const format: MessageFormat = {
  key: "answer",
  createView,
  done: "\n",
  begin: () => "",
  pause: "",
};

function createView(): View<MessageFrame> {
  let message: string | undefined;
  let turn: string | undefined;
  let isInSegment = false;
  let hasEnded = false;
  function frameOf(event: SessionEvent): MessageFrame | undefined {
    if (event.type === "message.started") {
      // The next one ends this one.
      if (message !== undefined) return { mark: "end", text: "" };
      message = event.message;
      return { mark: "content", text: "" };
    }
    if (event.message !== message) return undefined;
    if (event.type === "text.delta") return { mark: "content", text: event.delta };
    if (event.type === "ask.opened") return { mark: "seam", text: `\n${event.title}`, ask: event.ask };
    return undefined;
  }
  return {
    add(event) {
      if (hasEnded) return [];
      turn ??= event.turn;
      const isTurnOver = event.type === "turn.ended" && event.turn === turn;
      const frame = isTurnOver ? { mark: "end" as const, text: "" } : frameOf(event);
      if (!frame) return [];
      const start: MessageFrame[] = isInSegment ? [] : [{ mark: "start", text: "" }];
      hasEnded = frame.mark === "end";
      isInSegment = frame.mark !== "seam";
      return [...start, frame];
    },
  };
}

export const answer: Dialect<{ ask: typeof ask }> = {
  name: "answer",
  description: "Whole answers",
  path: "/answer",
  routes: { ask },
  contentRoutes: ["ask"],
  view: { scope: "message", resume: "none", formats: [format] },
  handlers: ({ engine, messages }) => ({
    async ask({ params, body }, call) {
      const parts = [{ type: "text" as const, text: body.text }];
      const { message, seq } = await engine.run(
        "prompt",
        { session: params.id, parts, whenBusy: "queue" },
        call.caller,
      );
      const wanted = { session: params.id, message, from: seq, facts: {}, format };
      const { text } = await messages.collect(wanted, { segments: 0, frames: 0 }, call.signal);
      return call.answer(200, text);
    },
  }),
};
