import { describe, expect, it } from "vitest";
import { checkLog } from "../../core/check-log.ts";
import { withMock } from "./with-mock.test-support.ts";

const mock = withMock();

describe("interrupting", () => {
  it.each(["hang", "long", "subagent", "burst:100000000"])("stops %s", async (name) => {
    const run = await mock().start({ adapterOptions: { pace: 1 } });
    await run.prompt(`scenario:${name}`);
    await run.untilEvent(name === "subagent" ? "reasoning.delta" : "text.delta");
    await run.interrupt();
    await run.untilEvent("turn.ended");
    expect(run.of("turn.ended")[0]?.outcome).toBe("interrupted");
    await run.turn("scenario:text");
    expect(run.of("turn.ended")[1]?.outcome).toBe("completed");
    expect(checkLog(await run.close(), { complete: true })).toEqual([]);
  });

  it("withdraws an open ask", async () => {
    const run = await mock().start();
    await run.prompt("scenario:approve-two");
    await run.until(() => run.of("ask.opened").length === 2);
    await run.interrupt();
    await run.untilEvent("turn.ended");
    expect(run.drafts.filter((draft) => draft.type === "ask.closed")).toEqual([
      { type: "ask.closed", ask: "ask-1", outcome: "cancelled", delivered: false },
      { type: "ask.closed", ask: "ask-2", outcome: "cancelled", delivered: false },
    ]);
    expect(checkLog(await run.close(), { complete: true })).toEqual([]);
  });

  it("leaves a task alone, which then ends by itself", async () => {
    const run = await mock().start({ adapterOptions: { pace: 1 } });
    await run.prompt("scenario:background");
    await run.untilEvent("text.delta");
    await run.interrupt();
    await run.until(() => run.of("turn.ended").length === 2);
    expect(run.of("task.ended")[0]?.outcome).toBe("completed");
    expect(checkLog(await run.close(), { complete: true })).toEqual([]);
  });

  it("is not lost when it comes right behind the prompt", async () => {
    const run = await mock().start();
    await Promise.all([run.prompt("scenario:hang"), run.interrupt()]);
    await run.untilEvent("turn.ended");
    expect(run.of("turn.ended")[0]?.outcome).toBe("interrupted");
    await run.close();
  });
});

describe("steering", () => {
  it("takes a prompt up at the next pause and answers it with the rest of the turn", async () => {
    const run = await mock().start({ adapterOptions: { pace: 1 } });
    await run.prompt("scenario:long");
    await run.until(() => run.of("text.delta").length > 5);
    const steered = await run.prompt("go left instead", { steer: true });
    await run.untilEvent("turn.ended");
    expect(checkLog(await run.close(), { complete: true })).toEqual([]);
    expect(run.of("turn.ended")).toHaveLength(1);
    expect(run.of("message.started").map((event) => event.replyTo)).toEqual([expect.any(String), steered]);
    const answer = run.of("message.started")[1]?.message;
    expect(run.of("text.delta").filter((event) => event.message === answer).length).toBeGreaterThan(0);
    expect(run.text).toMatch(/word-6 .*Understood, I change course: go left instead$/s);
    expect(run.text).not.toContain("word-200");
  });

  it("waits for an open ask, and may name a scenario", async () => {
    const run = await mock().start();
    await run.prompt("scenario:approve");
    await run.untilEvent("ask.opened");
    await run.prompt("scenario:question", { steer: true });
    await run.reply(run.of("ask.opened")[0]!, { option: "allow" });
    await run.until(() => run.of("ask.opened").length === 2);
    await run.reply(run.of("ask.opened")[1]!, { answers: { q1: ["Blue"] } });
    await run.untilEvent("turn.ended");
    expect(run.text).toContain("You chose: Blue.");
    expect(checkLog(await run.close(), { complete: true })).toEqual([]);
  });

  it("gives the prompt back when the turn is stopped first", async () => {
    const run = await mock().start();
    await run.prompt("scenario:hang");
    await run.untilEvent("text.delta");
    const steered = await run.prompt("never mind", { steer: true });
    await run.interrupt();
    await run.untilEvent("turn.ended");
    expect(run.of("prompt.returned")[0]?.message).toBe(steered);
    expect(checkLog(await run.close(), { complete: true })).toEqual([]);
  });
});
