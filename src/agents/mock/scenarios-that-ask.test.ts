import { describe, expect, it } from "vitest";
import { checkLog } from "../../core/check-log.ts";
import { deny, withMock } from "./with-mock.test-support.ts";

const mock = withMock();

describe("scenarios that ask", () => {
  it("approve: allowed", async () => {
    const run = await mock().play("scenario:approve");
    const [ask] = run.of("ask.opened");
    expect(ask).toMatchObject({ kind: "permission", call: run.of("tool.start")[0]?.call });
    expect(ask?.options.map(({ effect, storedIn }) => [effect, storedIn])).toEqual([
      ["once", undefined],
      ["always", "session"],
      ["reject", undefined],
    ]);
    expect(run.of("tool.output")[0]?.output).toMatchObject({ command: "npm test" });
    expect(run.text.match(/passed-/g)).toHaveLength(30);
  });

  it("approve: denied, and the text goes on", async () => {
    const run = await mock().play("scenario:approve", { answer: deny });
    expect(run.of("tool.denied")).toHaveLength(1);
    expect(run.of("tool.denied")[0]?.reason).toBe("not now");
    expect(run.of("tool.output")).toHaveLength(0);
    expect(run.text.match(/skipped-/g)).toHaveLength(30);
    expect(run.of("turn.ended")[0]?.outcome).toBe("completed");
  });

  it("approve: the input the person changed is what runs", async () => {
    const answer = () => ({ option: "allow", input: { command: "npm test -- --bail" } });
    const run = await mock().play("scenario:approve", { answer });
    expect(run.of("tool.output")[0]?.output).toMatchObject({ command: "npm test -- --bail" });
  });

  it("approve: always is remembered, and not asked again", async () => {
    const run = await mock().start({ answer: () => ({ option: "allow-always" }) });
    await run.turn("scenario:approve");
    await run.turn("scenario:approve");
    expect(checkLog(await run.close(), { complete: true })).toEqual([]);
    expect(run.of("ask.opened")).toHaveLength(1);
    expect(run.of("tool.output")).toHaveLength(2);
  });

  it("approve-two: two asks are open at once and may be answered in any order", async () => {
    const run = await mock().start();
    await run.prompt("scenario:approve-two");
    await run.until(() => run.of("ask.opened").length === 2);
    const [first, second] = run.of("ask.opened");
    await run.reply(second!, { option: "deny" });
    await run.reply(first!, { option: "allow" });
    await run.untilEvent("turn.ended");
    expect(checkLog(await run.close(), { complete: true })).toEqual([]);
    expect(run.of("tool.denied")[0]?.call).toBe(second?.call);
    expect(run.of("tool.output")[0]?.call).toBe(first?.call);
    expect(run.text).toBe("1 of 2 commands were allowed.");
  });

  it("approve-ownstep: the sibling is unfinished while the ask is open", async () => {
    const run = await mock().start();
    await run.prompt("scenario:approve-ownstep");
    await run.untilEvent("ask.opened");
    expect(run.of("tool.start")).toHaveLength(2);
    expect(run.of("tool.output")).toHaveLength(0);
    await run.reply(run.of("ask.opened")[0]!, { option: "allow" });
    await run.untilEvent("turn.ended");
    expect(checkLog(await run.close(), { complete: true })).toEqual([]);
    expect(run.of("tool.output")).toHaveLength(2);
    expect(run.of("step.started")).toHaveLength(2);
  });

  it("question: an option, free text or none", async () => {
    const run = await mock().play("scenario:question");
    const [ask] = run.of("ask.opened");
    expect(ask?.questions?.map(({ id, free }) => ({ id, free }))).toEqual([{ id: "q1", free: true }]);
    expect(ask?.questions?.[0]?.options).toHaveLength(2);
    expect(run.text).toContain("You chose: Green.");
    const free = await mock().play("scenario:question", {
      answer: () => ({ answers: { q1: ["Ultramarine"] } }),
    });
    expect(free.text).toContain("You chose: Ultramarine.");
    const none = await mock().play("scenario:question", { answer: deny });
    expect(none.text).toContain("You did not answer");
  });

  it("plan: approved or not", async () => {
    const run = await mock().play("scenario:plan");
    expect(run.of("ask.opened")[0]?.kind).toBe("plan");
    expect(run.of("plan.updated")[0]?.entries).toHaveLength(3);
    expect(run.text).toBe("The plan is approved, I begin.");
    const rejected = await mock().play("scenario:plan", { answer: deny });
    expect(rejected.text).toBe("I keep planning. You said: not now");
  });
});
