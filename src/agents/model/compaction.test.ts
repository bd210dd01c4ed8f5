import { expect, it } from "vitest";
import { checkLog } from "../../core/check-log.ts";
import { httpError, text, toolCall, usage } from "../../testkit/scripted-model/index.ts";
import type { SessionRun } from "../../testkit/session-run.ts";
import { ModelWorld } from "./with-model.test-support.ts";

const FULL = [text("A long story."), usage({ input: 9000, output: 100 })];
/** What is summarised has the tags of its prompts, the newest of which chooses the script. */
const SUMMARY = "They spoke of kestrels.";

async function closed(session: SessionRun): Promise<void> {
  expect(checkLog(await session.close(), { complete: true })).toEqual([]);
}

function scripts(summary = [text(SUMMARY)]) {
  return {
    full: ({ request }: { request: { body: object } }) =>
      JSON.stringify(request.body).includes("Summarise this conversation") ? summary : FULL,
    hello: [text("Hello.")],
  };
}

const summaries = ({ model }: ModelWorld) =>
  model.requests.filter(({ body }) => JSON.stringify(body).includes("Summarise this conversation")).length;

/** Those that did something. */
const ended = (session: SessionRun) =>
  session.of("compaction.ended").filter(({ skipped }) => skipped === undefined);

const heard = ({ model }: ModelWorld) => JSON.stringify(model.requests.at(-1)!.body.messages);

it("a conversation past the limit is summarised before the next request, and the rest stays", async () => {
  await using world = await ModelWorld.start(scripts());
  const session = await world.run({ adapterOptions: { compactAt: 5000, keepMessages: 2 } });
  await session.turn("Kestrels are falcons [[full]]");
  await session.turn("So are merlins [[full]]");
  expect(session.of("compaction.started")).toMatchObject([{ trigger: "limit" }]);
  expect(ended(session)).toMatchObject([{ summary: SUMMARY, tokensBefore: expect.any(Number) }]);
  const { tokensBefore = 0, tokensAfter = 0 } = ended(session)[0]!;
  expect(tokensBefore).toBeGreaterThan(9000);
  expect(tokensAfter).toBeLessThan(tokensBefore);
  expect(heard(world)).toContain(SUMMARY);
  expect(heard(world)).toContain("So are merlins");
  expect(heard(world)).not.toContain("Kestrels are falcons");
  // The summary costs something too, and says nothing of how full the window is.
  expect(session.of("usage").map(({ context }) => context?.used)).toEqual([9100, undefined, 9100]);
  await closed(session);
});

it("going back to before the summary gives the conversation back as it was", async () => {
  await using world = await ModelWorld.start(scripts());
  const session = await world.run({ adapterOptions: { compactAt: 5000, keepMessages: 1 } });
  await session.turn("Kestrels are falcons [[full]]");
  const second = await session.prompt("So are merlins [[full]]");
  await session.until(() => session.of("turn.ended").length === 2);
  await session.turn("And hobbies? [[full]]");
  await session.session.send({ type: "rewind", before: second });
  await session.turn("And eagles? [[hello]]");
  expect(heard(world)).toContain("Kestrels are falcons");
  expect(heard(world)).not.toContain(SUMMARY);
  await closed(session);
});

it("a check that finds nothing to summarise says so", async () => {
  await using world = await ModelWorld.start(scripts());
  const session = await world.run({ adapterOptions: { compactAt: 5000, keepMessages: 20 } });
  await session.turn("Kestrels are falcons [[full]]");
  await session.turn("So are merlins [[full]]");
  expect(session.of("compaction.started")).toEqual([]);
  expect(session.of("compaction.ended").map(({ skipped }) => skipped)).toEqual([
    expect.stringMatching(/skipped: the conversation has \d+ tokens, and 5000 are allowed/),
    "The summary was skipped: there is nothing before the last 20 messages, which stay as they are.",
  ]);
  expect(heard(world)).toContain("Kestrels are falcons");
  await closed(session);
});

it("a summary that fails is told, and the conversation goes on whole", async () => {
  await using world = await ModelWorld.start(scripts([httpError(400, { message: "no summary" })]));
  const session = await world.run({ adapterOptions: { compactAt: 5000, keepMessages: 1 } });
  await session.turn("Kestrels are falcons [[full]]");
  const { outcome } = await session.turn("So are merlins [[full]]");
  expect(outcome).toBe("completed");
  expect(ended(session)).toMatchObject([{ error: expect.stringContaining("no summary") }]);
  expect(heard(world)).toContain("Kestrels are falcons");
  await closed(session);
});

it("a person can ask for a summary, also of two messages", async () => {
  await using world = await ModelWorld.start(scripts());
  const session = await world.run();
  await session.turn("Kestrels are falcons [[full]]");
  await session.turn("/compact");
  expect(session.of("compaction.started")).toMatchObject([{ trigger: "manual" }]);
  expect(ended(session)).toMatchObject([{ summary: SUMMARY }]);
  await session.turn("Hello [[hello]]");
  expect(heard(world)).toContain(SUMMARY);
  expect(heard(world)).not.toContain("Kestrels are falcons");
  await closed(session);
});

it("a summary that is asked for twice in a row is skipped the second time", async () => {
  await using world = await ModelWorld.start(scripts());
  const session = await world.run();
  await session.turn("Kestrels are falcons [[full]]");
  await session.turn("/compact");
  await session.turn("/compact");
  expect(session.of("compaction.started")).toHaveLength(2);
  expect(session.of("compaction.ended").at(-1)?.skipped).toMatch(/nothing was said since/);
  expect(summaries(world)).toBe(1);
  await closed(session);
});

it("the check is told once in each turn, however many steps it has", async () => {
  await using world = await ModelWorld.start({
    steps: [
      [toolCall("list_files", { path: "." })],
      [toolCall("list_files", { path: "." })],
      [text("Done.")],
    ],
  });
  const session = await world.run();
  await session.turn("Look [[steps]]");
  await session.turn("Again [[steps]]");
  expect(session.of("step.started")).toHaveLength(6);
  expect(session.of("compaction.ended").map(({ turn, skipped }) => [turn, typeof skipped])).toEqual(
    session.of("turn.started").map(({ turn }) => [turn, "string"]),
  );
  await closed(session);
});

it("an empty summary leaves the conversation as it is", async () => {
  await using world = await ModelWorld.start(scripts([text(" \n")]));
  const session = await world.run({ adapterOptions: { compactAt: 5000, keepMessages: 1 } });
  await session.turn("Kestrels are falcons [[full]]");
  const { outcome } = await session.turn("So are merlins [[full]]");
  expect(outcome).toBe("completed");
  expect(ended(session)).toMatchObject([{ error: "The model gave an empty summary." }]);
  expect(heard(world)).toContain("Kestrels are falcons");
  await closed(session);
});

it("the question of the running turn stays as it was asked when what came after it is summarised", async () => {
  await using world = await ModelWorld.start({
    work: ({ request, step }) => {
      if (JSON.stringify(request.body).includes("Summarise this conversation")) return [text("They looked.")];
      return step < 3 ? [toolCall("list_files", { path: "." }), usage({ input: 9000 })] : [text("Done.")];
    },
  });
  const session = await world.run({ adapterOptions: { compactAt: 5000, keepMessages: 2 } });
  await session.turn("Count the kestrels exactly [[work]]");
  expect(ended(session)).toMatchObject([{ summary: "They looked." }]);
  expect(heard(world)).toContain("Count the kestrels exactly");
  expect(heard(world)).toContain("They looked.");
  await closed(session);
});

it("a summary that does not help is not made again at every step", async () => {
  await using world = await ModelWorld.start({
    work: ({ request }) => {
      const { messages } = request.body as { messages: unknown[] };
      if (JSON.stringify(messages).includes("Summarise this conversation")) return [text("They looked.")];
      // The last messages alone are past the limit.
      return [toolCall("list_files", { path: "." }), usage({ input: 9000 + messages.length })];
    },
  });
  const session = await world.run({
    adapterOptions: { compactAt: 5000, keepMessages: 2, maxSteps: 12 },
  });
  await session.turn("Look around [[work]]");
  expect(session.of("step.started")).toHaveLength(12);
  expect(summaries(world)).toBe(1);
  await closed(session);
});
