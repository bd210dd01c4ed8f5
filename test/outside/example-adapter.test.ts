/** The adapters of examples/adapter/ in a real daemon: a turn, a permission, a stop, `kill -9` and the conversation again. */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkLog } from "../../src/core/check-log.ts";
import type { EventOf, EventType, SessionEvent } from "../../src/core/event.ts";
import { until } from "../../src/testkit/until.ts";
import { DaemonProcess } from "../crash/daemon-process.ts";

const EXAMPLE = resolve(import.meta.dirname, "../../examples/adapter");

describe.each([["adapter.ts"], ["my-backend.ts"]])("%s", (file) => {
  let directory: string;
  let daemon: DaemonProcess;

  beforeAll(async () => {
    directory = realpathSync(mkdtempSync(join(tmpdir(), "interlingua-parrot-")));
    const agents = { parrot: { module: join(EXAMPLE, file) } };
    writeFileSync(join(directory, "config.json"), JSON.stringify({ agents }));
    daemon = await DaemonProcess.start(directory);
    await daemon.call("POST", "/v1/sessions", { id: "s", agent: "parrot" });
  });

  afterAll(async () => {
    await daemon.kill("SIGTERM");
    rmSync(directory, { recursive: true });
  });

  async function events(): Promise<SessionEvent[]> {
    return (await daemon.events("s")).map((line) => JSON.parse(line) as SessionEvent);
  }

  async function of<Type extends EventType>(type: Type): Promise<EventOf<Type>[]> {
    return (await events()).filter((event): event is EventOf<Type> => event.type === type);
  }

  /** From the prompt to the end of its turn, and what was said in it. */
  async function turn(
    text: string,
    during?: () => Promise<void>,
  ): Promise<{ outcome: string; said: string; events: SessionEvent[] }> {
    const before = (await of("turn.ended")).length;
    await daemon.prompt("s", text);
    await during?.();
    await until(async () => (await of("turn.ended")).length > before);
    const log = await events();
    expect(checkLog(log)).toEqual([]);
    const { turn: id, outcome } = (await of("turn.ended")).at(-1)!;
    const own = log.filter((event) => "turn" in event && event.turn === id);
    const said = own.flatMap((event) => (event.type === "text.delta" ? [event.delta] : [])).join("");
    return { outcome, said, events: own };
  }

  it("answers", async () => {
    expect(await turn("the word is kestrel")).toMatchObject({
      outcome: "completed",
      said: "You said: the word is kestrel",
    });
  });

  it.each([
    ["allow", "tool.output"],
    ["deny", "tool.denied"],
  ] as const)("asks for a permission, and takes the answer: %s", async (option, result) => {
    const { outcome, events: own } = await turn("write", async () => {
      let ask: string | undefined;
      await until(async () => {
        const closed = new Set((await of("ask.closed")).map((event) => event.ask));
        ask = (await of("ask.opened")).find((event) => !closed.has(event.ask))?.ask;
        return ask !== undefined;
      });
      await daemon.call("POST", `/v1/sessions/s/asks/${ask}/reply`, { option });
    });
    expect(outcome).toBe("completed");
    expect(own.map(({ type }) => type)).toContain(result);
  });

  it("is stopped", async () => {
    const { outcome, said } = await turn("endless", async () => {
      await until(async () =>
        (await events()).some((event) => event.type === "text.delta" && event.delta.startsWith("I talk")),
      );
      await daemon.call("POST", "/v1/sessions/s/interrupt");
    });
    expect({ outcome, said }).toEqual({ outcome: "interrupted", said: "I talk until I am stopped." });
    expect((await turn("hello")).said).toBe("You said: hello");
  });

  it("goes on with its conversation after kill -9 of the daemon in the middle of a turn", async () => {
    await daemon.prompt("s", "endless");
    await until(async () => {
      const log = await events();
      const started = log.findLastIndex(({ type }) => type === "turn.started");
      const isOpen = started > log.findLastIndex(({ type }) => type === "turn.ended");
      return isOpen && log.slice(started).some(({ type }) => type === "text.delta");
    });
    await daemon.kill();
    daemon = await DaemonProcess.start(directory);
    const { said, outcome } = await turn("recall");
    expect(outcome).toBe("completed");
    expect(said).toContain("I remember: the word is kestrel; ");
    const ended = await of("turn.ended");
    expect(ended.at(-2)).toMatchObject({ outcome: "interrupted", error: { code: "daemon_restarted" } });
    expect(new Set((await of("session.attached")).map(({ agentSessionId }) => agentSessionId)).size).toBe(1);
  });
});
