import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkLog } from "../../core/check-log.ts";
import { withMock } from "./with-mock.test-support.ts";

const mock = withMock();

describe("the conversation", () => {
  it("is remembered by a later process, also after a crash, with what was always allowed", async () => {
    const first = await mock().start({ answer: () => ({ option: "allow-always" }), model: "mock-small" });
    await first.turn("scenario:approve");
    await first.prompt("scenario:crash");
    await first.over;
    const { agentSessionId } = first.machine.state;
    const second = await mock().start({ after: first, resume: true, agentSessionId });
    const before = second.text.length;
    await second.turn("scenario:recall");
    expect(second.text.slice(before)).toBe("Earlier prompts:\n1. scenario:approve\n2. scenario:crash");
    await second.turn("scenario:approve");
    expect(checkLog(await second.close(), { complete: true })).toEqual([]);
    expect(
      second.of("session.attached").map(({ generation, resumed, model }) => [generation, resumed, model]),
    ).toEqual([
      [1, false, "mock-small"],
      [2, true, "mock-small"],
    ]);
    expect(second.of("ask.opened")).toHaveLength(1);
  });

  it("forgets what is rewound", async () => {
    const run = await mock().start();
    await run.turn("scenario:text first");
    const second = run.of("prompt.accepted").length + 1;
    await run.turn("scenario:text second");
    const { message } = run.of("prompt.accepted")[second - 1]!;
    await run.session.send({ type: "rewind", before: message });
    await run.turn("scenario:recall");
    expect(run.text.endsWith("Earlier prompts:\n1. scenario:text first")).toBe(true);
    await run.session.send({ type: "rewind", before: "never-was" });
    await run.untilEvent("notice");
    expect(run.of("notice")[0]?.code).toBe("unknown_prompt");
    await run.close();
  });

  it("is kept without the secrets of the session", async () => {
    const run = await mock().start({ environment: { PASSPHRASE: "open sesame" } });
    await run.turn("scenario:echo say open sesame");
    expect(run.text).toContain("open sesame");
    await run.turn("scenario:recall");
    expect(run.text).toContain("say [secret PASSPHRASE]");
    await run.close();
    const directory = join(mock().directory, "agents", "mock");
    const files = readdirSync(directory).map((name) => readFileSync(join(directory, name), "utf8"));
    expect(files.length).toBeGreaterThan(0);
    expect(files.filter((content) => content.includes("open sesame"))).toEqual([]);
  });
});

describe("configuring", () => {
  it("changes model, mode and permissions while the session is open", async () => {
    const run = await mock().start();
    await run.session.send({
      type: "configure",
      model: "mock-small",
      mode: "plan",
      permissionMode: "bypass",
    });
    await run.untilEvent("session.updated");
    expect(run.machine.state).toMatchObject({ model: "mock-small", mode: "plan", permissionMode: "bypass" });
    await run.turn("scenario:approve");
    expect(run.of("ask.opened")).toHaveLength(0);
    expect(run.of("usage")[0]?.model).toBe("mock-small");
    await expect(run.session.send({ type: "configure", mode: "warp" })).rejects.toMatchObject({
      code: "unsupported",
      message: expect.stringContaining('There is no mode "warp"'),
    });
    await run.untilEvent("notice");
    expect(run.of("notice")[0]?.code).toBe("configure");
    expect(checkLog(await run.close(), { complete: true })).toEqual([]);
  });
});
