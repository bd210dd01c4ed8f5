import { expect, it } from "vitest";
import { checkLog } from "../../core/check-log.ts";
import { httpError, text, usage } from "../../testkit/scripted-model/index.ts";
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

const heard = ({ model }: ModelWorld) => JSON.stringify(model.requests.at(-1)!.body.messages);

it("a conversation past the limit is summarised before the next request, and the rest stays", async () => {
  await using world = await ModelWorld.start(scripts());
  const session = await world.run({ adapterOptions: { compactAt: 5000, keepMessages: 2 } });
  await session.turn("Kestrels are falcons [[full]]");
  await session.turn("So are merlins [[full]]");
  expect(session.of("compaction.started")).toMatchObject([{ trigger: "limit" }]);
  expect(session.of("compaction.ended")).toMatchObject([
    { summary: SUMMARY, tokensBefore: expect.any(Number) },
  ]);
  const { tokensBefore = 0, tokensAfter = 0 } = session.of("compaction.ended")[0]!;
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
  expect(session.of("compaction.started")).toHaveLength(1);
  expect(session.of("compaction.ended")).toMatchObject([
    {
      error: "The summary was skipped: there is nothing before the last 20 messages, which stay as they are.",
    },
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
  expect(session.of("compaction.ended")).toMatchObject([{ error: expect.stringContaining("no summary") }]);
  expect(heard(world)).toContain("Kestrels are falcons");
  await closed(session);
});

it("a person can ask for a summary", async () => {
  await using world = await ModelWorld.start(scripts());
  const session = await world.run({ adapterOptions: { keepMessages: 0 } });
  await session.turn("Kestrels are falcons [[full]]");
  await session.turn("/compact");
  expect(session.of("compaction.started")).toMatchObject([{ trigger: "manual" }]);
  expect(session.of("compaction.ended")).toMatchObject([{ summary: SUMMARY }]);
  await session.turn("Hello [[hello]]");
  expect(heard(world)).toContain(SUMMARY);
  await closed(session);
});
