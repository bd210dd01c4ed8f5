/** The dialect contract finds what would go wrong in the server. */
import { expect, it } from "vitest";
import { messageFormat } from "../../src/dialects/ai-sdk/view.ts";
import type { Frame, MessageFrame, View, ViewDefinition } from "../../src/dialects/dialect.ts";
import { begin, call, NO, permission, text } from "../../src/testkit/conversation.ts";
import { expectDialectContract } from "../../src/testkit/dialect-contract/index.ts";
import { aiSdkStreams } from "./transcripts/ai-sdk.ts";

const { log } = begin()
  .agent(...text("a", "Hello, ", "may I?"), ...call("c", "Bash", {}), permission("q", "c"))
  .answer(NO)
  .agent({ type: "tool.failed", call: "c", error: "refused" }, ...text("b", "No, then."))
  .end();

function session(create: () => View, resume: "cursor" | "replay" = "cursor"): ViewDefinition {
  return { scope: "session", resume, create };
}

/** The frames of the AI SDK, changed on their way. */
function message(change: (frame: MessageFrame) => readonly MessageFrame[]): ViewDefinition {
  const format = messageFormat();
  const createView: typeof format.createView = (facts) => {
    const view = format.createView(facts);
    return { add: (event) => view.add(event).flatMap(change) };
  };
  return { scope: "message", resume: "replay", formats: [{ ...format, createView }] };
}

/** Numbers the deltas from where it began, which a client that resumes must not see. */
function counting(): View {
  let count = 0;
  return { add: (event) => (event.type === "text.delta" ? [{ text: `${++count} ${event.delta}` }] : []) };
}

it("takes a sound view, and the log has a seam", async () => {
  const marks: string[] = [];
  const view = message((frame) => {
    marks.push(frame.mark);
    return [frame];
  });
  await expectDialectContract({ view }, log);
  expect(marks).toEqual(expect.arrayContaining(["start", "seam", "end"]));
});

it("finds a view with a cursor that depends on what came before the cursor", async () => {
  await expect(expectDialectContract({ view: session(counting) }, log)).rejects.toThrow("cut after");
  await expectDialectContract({ view: session(counting, "replay") }, log);
  // Its handler gives it the log from the beginning.
  await expectDialectContract({ view: session(counting), from: () => 0 }, log);
});

it("finds a view that prints unknown events", async () => {
  const show = (type: string): Frame => ({ text: type });
  const view = session(() => ({ add: ({ type }) => [show(type)] }));
  await expect(expectDialectContract({ view }, log)).rejects.toThrow("an unknown event shows nothing");
  await expectDialectContract({ view, showsUnknown: true }, log);
});

it("finds a view that unknown events confuse", async () => {
  let last = "";
  const view = session(() => ({
    add({ type }) {
      const frames = type === "turn.ended" && last !== "unknown.event" ? [{ text: "end" }] : [];
      last = type;
      return frames;
    },
  }));
  const runs = Array.from({ length: 20 }, (_, seed) => expectDialectContract({ view }, log, { seed }));
  await expect(Promise.all(runs)).rejects.toThrow("with unknown events before it");
});

it.each<[string, string, (frame: MessageFrame) => readonly MessageFrame[]]>([
  ["no start", 'begins with "start"', (frame) => (frame.mark === "start" ? [] : [frame])],
  ["two starts", "not repeated", (frame) => (frame.mark === "start" ? [frame, frame] : [frame])],
  ["no end", 'marked "end"', (frame) => (frame.mark === "end" ? [] : [frame])],
  ["frames after its end", "nothing follows", (frame) => (frame.mark === "end" ? [frame, frame] : [frame])],
  ["a seam without its ask", "an ask that was opened", (frame) => [{ ...frame, ask: undefined }]],
  ["a seam of no ask", "an ask that was opened", (frame) => [{ ...frame, ask: "another" }]],
  [
    "a seam marked as content",
    "not repeated",
    (frame) => [frame.mark === "seam" ? { ...frame, mark: "content" } : frame],
  ],
])("finds a message with %s", async (_, sentence, change) => {
  await expect(expectDialectContract({ view: message(change) }, log)).rejects.toThrow(sentence);
});

it("finds two formats of one key", async () => {
  const formats = [messageFormat(), messageFormat()];
  const view: ViewDefinition = { scope: "message", resume: "replay", formats };
  await expect(expectDialectContract({ view }, log)).rejects.toThrow("formats of the same key");
});

it("an ask that waits for the next event is not shown by an unknown one", async () => {
  const { log } = begin()
    .agent(
      { type: "tool.start", call: "c", name: "Bash" },
      { type: "tool.input.delta", call: "c", delta: "{" },
    )
    .agent(permission("q"), permission("r", "c"))
    .end();
  const view: ViewDefinition = { scope: "message", resume: "replay", formats: [messageFormat()] };
  for (let seed = 0; seed < 20; seed += 1) await expectDialectContract({ view }, log, { seed });
});

it.each<[string, (text: string) => string]>([
  ["loses words", (text) => text.replace("may I?", "")],
  ["says something twice", (text) => text.replace("No, then.", "No, then. No, then.")],
  ["tells another tool", (text) => text.replaceAll('"toolName":"Bash"', '"toolName":"Read"')],
  ["tells another input", (text) => text.replaceAll('"input":{}', '"input":{"command":"ls"}')],
  ["tells another answer", (text) => text.replaceAll("not now", "at once")],
  ["does not tell who answered", (text) => text.replaceAll('"by":"owner"', '"by":"nobody"')],
  ["tells another end", (text) => text.replaceAll('"outcome":"completed"', '"outcome":"failed"')],
  ["names another message", (text) => text.replaceAll('"m1"', '"m2"')],
])("finds a view that %s", async (_, change) => {
  const transcripts = aiSdkStreams;
  await expectDialectContract({ view: message((frame) => [frame]), transcripts }, log);
  const view = message((frame) => [{ ...frame, text: change(frame.text) }]);
  await expect(expectDialectContract({ view, transcripts }, log)).rejects.toThrow(
    "the transcript of its stream",
  );
});
