/** Whatever an agent does in a turn, the turn ends, the log is well formed and no process is left. */
import { describe, expect, it } from "vitest";
import type { EventOf } from "../../core/event.ts";
import { TURNS } from "../../testkit/misbehaving-acp-agent/turns.ts";
import { expectSound, withMadeUpAgent } from "./made-up-agent.test-support.ts";
import { outbound } from "./outbound.ts";

const agent = withMadeUpAgent();

const yes = () => ({ option: "yes" });
const no = () => ({ option: "no" });

describe("calls", () => {
  it.each([yes, no])("a ghost: one that a permission request only names is none", async (answer) => {
    const run = await agent().play("born-in-permission", { answer });
    expect(run.of("ask.opened")[0]).toMatchObject({ title: "rm -r build" });
    expect(run.of("ask.opened")[0]!.call).toBeUndefined();
    expect(run.of("ask.closed")[0]).toMatchObject({ outcome: "answered", delivered: true });
    expect(run.events.filter(({ type }) => type.startsWith("tool."))).toEqual([]);
    expect(run.of("turn.ended")[0]!.outcome).toBe("completed");
  });

  it("one that is first described in a permission request and rejected is denied", async () => {
    const run = await agent().play("reject-ends", { answer: no });
    expect(run.of("tool.start")[0]).toMatchObject({ title: "touch a.txt", kind: "execute" });
    expect(run.of("tool.denied")).toHaveLength(1);
  });

  it("one that never finishes is closed with its turn", async () => {
    const run = await agent().play("unfinished");
    expect(run.of("tool.abandoned")).toHaveLength(1);
  });

  it("one that is told in patches has one result", async () => {
    const run = await agent().play("patchy");
    expect(run.of("tool.output").map(({ output }) => output)).toEqual(["read"]);
    expect(run.of("tool.amended")).toEqual([]);
    expect(run.of("tool.updated")[0]).toMatchObject({ kind: "read" });
  });
});

describe("asks", () => {
  it("keep all options, of whatever kind", async () => {
    const run = await agent().play("many-options", { answer: () => ({ option: "odd" }) });
    const effects = run.of("ask.opened")[0]!.options.map(({ id, effect }) => `${id} ${effect}`);
    expect(effects).toEqual([
      ...["yes once", "always always", "no reject", "once-more once", "odd other"],
      "never reject-always",
    ]);
    expect(run.text).toBe("chosen: odd");
  });

  it("without options are refused, so that nothing hangs", async () => {
    const run = await agent().play("no-options");
    expect(run.of("ask.opened")).toEqual([]);
    expect(run.text).toBe("refused: -32602");
  });

  it("that the agent withdraws are closed", async () => {
    const run = await agent().play("withdraws-ask");
    expect(run.of("ask.closed")[0]).toMatchObject({ outcome: "cancelled", delivered: false });
  });

  it("are not approved with changed input, for which there is no word", async () => {
    const changed = () => ({ option: "yes", input: { command: "touch b.txt" } });
    const run = await agent().play("permission", { answer: changed });
    expect(run.text).toBe("skipped");
  });

  it("are approved with the input as it was", async () => {
    const same = () => ({ option: "yes", input: { command: "touch a.txt" } });
    expect((await agent().play("permission", { answer: same })).text).toBe("passed");
  });

  it("as a form give each answer its type", async () => {
    const answers = { colour: ["green"], count: ["3"], sizes: ["Small", "l"] };
    const run = await agent().play("question", { answer: () => ({ answers }) });
    expect(JSON.parse(run.text)).toEqual({
      action: "accept",
      content: { colour: "green", count: 3, sizes: ["s", "l"] },
    });
  });

  it("as a form can be declined", async () => {
    const run = await agent().play("question", { answer: () => ({ option: "decline" }) });
    expect(JSON.parse(run.text)).toEqual({ action: "decline" });
  });
});

describe("ends", () => {
  it("a turn the agent calls cancelled because of a rejection is completed", async () => {
    const run = await agent().play("reject-ends", { answer: no });
    expect(run.of("turn.ended")[0]!.outcome).toBe("completed");
  });

  it.each(["cancel-completes", "cancel-fails", "cancel-talks", "cancel-asks", "endless"])(
    "%s: after a stop the turn is interrupted, whatever the agent makes of it",
    async (prompt) => {
      const run = await agent().start();
      await run.prompt(prompt);
      await run.untilEvent("text.delta");
      await run.interrupt();
      await run.untilEvent("turn.ended");
      expect(run.of("turn.ended")[0]).toMatchObject({ outcome: "interrupted" });
      expect(run.of("turn.ended")[0]).toMatchObject({ error: undefined });
      expect((await run.turn("text")).outcome).toBe("completed");
      await expectSound(run);
    },
  );

  it("an ask that is open at a stop is answered as cancelled", async () => {
    const run = await agent().start();
    await run.prompt("reject-ends");
    await run.untilEvent("ask.opened");
    await run.interrupt();
    await run.untilEvent("turn.ended");
    expect(run.of("turn.ended")[0]!.outcome).toBe("interrupted");
    await expectSound(run);
  });

  it("what is said after the end stands in a turn of the agent's own, which can be stopped", async () => {
    const run = await agent().start();
    await run.turn("talks-after-the-end");
    await run.until(() => run.text.includes("after"));
    expect(run.of("turn.started").map(({ origin }) => origin)).toEqual(["user", "agent"]);
    await run.interrupt();
    await run.until(() => run.of("turn.ended").length === 2);
    expect(run.of("turn.ended")[1]!.outcome).toBe("interrupted");
    await expectSound(run);
  });

  it("a second answer to a prompt ends nothing", async () => {
    const run = await agent().start();
    await run.turn("answers-twice");
    expect((await run.turn("text")).outcome).toBe("completed");
    expect(run.of("turn.ended")).toHaveLength(2);
    await expectSound(run);
  });

  it.each(["bare-answer", "odd-reason"])("%s completes the turn", async (prompt) => {
    expect((await agent().play(prompt)).of("turn.ended")[0]!.outcome).toBe("completed");
  });

  it("prompts that come together are given one after the other", async () => {
    const run = await agent().start();
    const first = run.session.send(prompt("1", "stream"));
    const second = run.session.send(prompt("2", "text"));
    await Promise.all([first, second]);
    await run.until(() => run.text.includes("Hello from the agent."));
    expect(run.drafts.filter(({ type }) => type === "turn.ended")).not.toContainEqual(
      expect.objectContaining({ outcome: "failed" }),
    );
    await run.close();
  });

  it("death in a turn is a failure with its last words", async () => {
    const run = await agent().start();
    await run.prompt("dies");
    await run.over;
    expect(run.of("turn.ended")[0]).toMatchObject({ outcome: "failed", error: { code: "agent_exited" } });
    const exit = run.outputs.at(-1)!.raw.data;
    expect(exit).toMatchObject({ code: 9, stderr: "out of memory\n" });
  });
});

describe("errors", () => {
  it.each(["error-answer", "error-both", "error-text"])(
    "%s fails the turn with the reason",
    async (prompt) => {
      const run = await agent().play(prompt);
      expect(run.of("turn.ended")[0]).toMatchObject({
        outcome: "failed",
        error: { code: "agent_error", message: "402 no money" },
      });
    },
  );

  it("a turn that ends without a word gets a notice", async () => {
    const run = await agent().play("error-silent");
    expect(run.of("notice")[0]).toMatchObject({ level: "warning", code: "silent" });
  });
});

describe("what nobody knows", () => {
  it("requests are refused at once and noted", async () => {
    const run = await agent().play("unknown-request");
    expect(run.text).toBe("refused: -32601");
    expect(unknownOf(run.of("agent.unknown"))).toEqual(["_vendor/what_now"]);
  });

  it("files are not written for an agent that was not offered it", async () => {
    expect((await agent().play("unasked-file")).text).toBe("refused: -32601");
  });

  it("notifications of an extension (_name) are ignored: they stay in the raw records, and are no agent.unknown", () => {
    const line = '{"jsonrpc":"2.0","method":"_vendor/mood","params":{"mood":"fine"}}';
    const [, drafts, unread] = outbound.translate(outbound.initial, { direction: "in", data: line });
    expect(drafts).toEqual([]);
    // The X-ray names it.
    expect(unread).toEqual(["_vendor/mood"]);
  });

  it("notifications, updates and content are noted, and the turn goes on", async () => {
    const run = await agent().play("unknown-words");
    expect(unknownOf(run.of("agent.unknown"))).toEqual([
      "session/update/mood_update",
      "session/update/agent_message_chunk/hologram",
      "session/update/tool_call",
      "session/update/",
    ]);
    expect(run.text).toBe("still here");
  });

  it("half a megabyte in a line", async () => {
    const run = await agent().play("huge");
    expect(run.machine.state.commands).toHaveLength(560);
  });
});

it("every misbehaviour is tried", async () => {
  const tried = Object.keys(TURNS);
  expect(tried.length).toBeGreaterThan(25);
  const run = await agent().start({ answer: no });
  for (const prompt of tried) {
    // These want something else, or nothing, to be done.
    if (
      ["dies", "endless", "question", "withdraws-ask", "through-client"].includes(prompt) ||
      prompt.startsWith("cancel-")
    )
      continue;
    await run.turn(prompt);
  }
  await expectSound(run);
});

function unknownOf(events: readonly EventOf<"agent.unknown">[]): string[] {
  return events.map(({ native }) => native);
}

function prompt(message: string, text: string) {
  return { type: "prompt" as const, message, parts: [{ type: "text" as const, text }] };
}
