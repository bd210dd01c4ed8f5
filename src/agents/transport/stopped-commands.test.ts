import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BackendSession } from "../../core/adapter.ts";
import type { Draft } from "../../core/draft.ts";
import { createProcessHost } from "../../process/local-process-host.ts";
import type { ProcessHost } from "../../process/process-host.ts";
import { AGENT_WITH_HUB, isAlive } from "../../process/test-support.ts";
import { until } from "../../testkit/until.ts";
import { openChildSession } from "./open-child-session.ts";
import { StoppedCommands } from "./stopped-commands.ts";
import type { Encoder, Translator } from "./translator.ts";

/** The agent tells the pid of the command it runs, and `stopped`. */
const translator: Translator<undefined> = {
  initial: undefined,
  translate(state, { direction, data }) {
    if (direction !== "in") return [state, []];
    const draft: Draft =
      data === "stopped"
        ? { type: "turn.ended", outcome: "interrupted" }
        : { type: "tool.start", call: String(data), name: "shell" };
    return [state, [draft]];
  },
};

const encoder: Encoder<undefined> = {
  open: () => ({ step: "ready" }),
  encode: (_, command) => [command.type === "interrupt" ? "stop" : "run"],
};

describe("a stop", () => {
  let directory: string;
  let host: ProcessHost;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), "interlingua-stopped-"));
    host = createProcessHost({ daemonId: `stopped-commands-${process.pid}`, environment: process.env });
  });
  afterAll(async () => {
    await host.close();
    rmSync(directory, { recursive: true });
  });

  /** Prompts, waits until a command runs, stops, and waits until the agent says that it has. */
  async function stopped(
    processHost: Parameters<typeof openChildSession>[0]["processHost"],
  ): Promise<{ session: BackendSession; command: number }> {
    const args = [AGENT_WITH_HUB, "agent", join(directory, "hub.sock")];
    const session = await openChildSession({
      agent: "forgetful",
      processHost,
      launch: { command: process.execPath, args, cwd: directory, sessionId: "s" },
      translator,
      encoder,
    });
    const said: unknown[] = [];
    void (async () => {
      for await (const { raw } of session.messages) if (raw.direction === "in") said.push(raw.data);
    })();
    await session.send({ type: "prompt", message: "m", parts: [] });
    await until(() => said.length === 1);
    await session.send({ type: "interrupt" });
    await until(() => said.includes("stopped"));
    return { session, command: Number(String(said[0]).split(" ")[1]) };
  }

  it("leaves a command running that the agent started", async () => {
    const { session, command } = await stopped(host);
    await until(() => !isAlive(command));
    await session.send({ type: "prompt", message: "the agent goes on", parts: [] });
    await session.close();
  });

  it("touches nothing where the process serves other sessions too", async () => {
    const { session, command } = await stopped({ spawn: (options) => host.spawn(options) });
    expect(isAlive(command)).toBe(true);
    await session.close();
    expect(isAlive(command)).toBe(false);
  });
});

describe("what is looked for", () => {
  const start = (call: string): Draft => ({ type: "tool.start", call, name: "shell" });
  const ended: Draft = { type: "turn.ended", outcome: "interrupted" };

  /** How often it looked, and how often it ended what it found. */
  function counted(): { commands: StoppedCommands; looks: () => number; ends: () => number } {
    let [looks, ends] = [0, 0];
    const commands = new StoppedCommands(async () => {
      looks += 1;
      return {
        async end() {
          ends += 1;
        },
      };
    });
    return { commands, looks: () => looks, ends: () => ends };
  }

  it("is nothing when no call is open", async () => {
    const { commands, looks, ends } = counted();
    commands.observe([start("a"), { type: "tool.output", call: "a", output: "" }]);
    commands.observe([start("b"), { type: "tool.denied", call: "b" }]);
    expect(commands.hasOpenCalls).toBe(false);
    await commands.look();
    commands.observe([ended]);
    expect([looks(), ends()]).toEqual([0, 0]);
  });

  it("is something when all that is open was declined, and nothing more is said of it", async () => {
    const { commands, looks } = counted();
    const ask: Draft = {
      type: "ask.opened",
      ask: "q",
      kind: "permission",
      call: "a",
      title: "Run it?",
      options: [],
    };
    commands.observe([start("a"), ask]);
    commands.answer({ type: "reply", ask: "q", effect: "reject" });
    expect(commands.hasOpenCalls).toBe(false);
    await commands.look();
    expect(looks()).toBe(0);
    commands.observe([ask]);
    commands.answer({ type: "reply", ask: "q", effect: "once" });
    expect(commands.hasOpenCalls).toBe(true);
  });

  it("is ended with the turn, once", async () => {
    const { commands, looks, ends } = counted();
    commands.observe([start("a"), { type: "tool.output", call: "a", output: "", preliminary: true }]);
    await commands.look();
    expect(ends()).toBe(0);
    commands.observe([{ type: "tool.failed", call: "a", error: "stopped" }, ended, ended]);
    expect([looks(), ends()]).toEqual([1, 1]);
  });

  it("is let go when the turn ended while we looked", async () => {
    const { commands, ends } = counted();
    commands.observe([start("a")]);
    const looking = commands.look();
    commands.observe([ended]);
    await looking;
    commands.observe([start("b"), ended]);
    expect(ends()).toBe(0);
  });

  it("was not started before the prompt: then it is a part of the agent", async () => {
    let within = Number.POSITIVE_INFINITY;
    const commands = new StoppedCommands(async (startedWithinMs) => {
      within = startedWithinMs;
      return { async end() {} };
    });
    const before = performance.now();
    commands.beginTurn();
    commands.observe([start("a")]);
    await commands.look();
    expect(within).toBeLessThanOrEqual(performance.now() - before);
  });

  it("does not keep the stop from the agent when the process table cannot be read", async () => {
    const commands = new StoppedCommands(() => Promise.reject(new Error("EMFILE")));
    commands.observe([start("a")]);
    await expect(commands.look()).resolves.toBeUndefined();
  });
});
