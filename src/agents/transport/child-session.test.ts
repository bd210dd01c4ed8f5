import { tmpdir } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AgentOutput, BackendSession } from "../../core/adapter.ts";
import type { Command } from "../../core/command.ts";
import { createProcessHost } from "../../process/local-process-host.ts";
import type { ProcessHost } from "../../process/process-host.ts";
import { openChildSession } from "./open-child-session.ts";
import type { Encoder, Translator } from "./translator.ts";

/** A language in which the agent says `ready` first, and everything is a notice. */
const translator: Translator<{ isReady: boolean; sent: number }> = {
  initial: { isReady: false, sent: 0 },
  translate(state, { direction, data }) {
    if (data === "fail") throw new Error("I do not understand");
    if (direction === "out") return [{ ...state, sent: state.sent + 1 }, []];
    if (direction !== "in") return [state, []];
    const draft = { type: "notice", level: "info", code: "said", text: String(data) } as const;
    return [data === "ready" ? { ...state, isReady: true } : state, [draft]];
  },
};

const encoder: Encoder<{ isReady: boolean; sent: number }> = {
  open: ({ isReady }) => (isReady ? { step: "ready" } : { step: "wait" }),
  encode: ({ sent }, command) =>
    command.type === "prompt" ? [`${sent + 1} ${command.message}`, `${sent + 2} over`] : ["stop"],
};

const prompt = (message: string): Command => ({ type: "prompt", message, parts: [] });

const daemonId = `child-session-test-${process.pid}`;
let host: ProcessHost;
beforeAll(() => {
  host = createProcessHost({ daemonId, environment: process.env });
});
afterAll(() => host.close());

/** The agent is a shell script. */
function open(script: string, timeoutMs?: number): Promise<BackendSession> {
  return openChildSession({
    agent: "parrot",
    processHost: host,
    launch: { command: "sh", args: ["-c", script], cwd: tmpdir(), sessionId: "s" },
    translator,
    encoder,
    timeoutMs,
  });
}

/** Ends what agents of this test have left, and gives the pids. */
function sweep(): Promise<number[]> {
  return host.sweep({ owner: (owner) => owner === `${daemonId}/s` });
}

async function readAll(session: BackendSession): Promise<AgentOutput[]> {
  const outputs: AgentOutput[] = [];
  for await (const output of session.messages) outputs.push(output);
  return outputs;
}

const brief = ({ raw }: AgentOutput) =>
  raw.direction === "process"
    ? `${raw.data.event} ${raw.data.text ?? raw.data.code ?? ""}`
    : `${raw.direction} ${raw.data}`;

describe("opening", () => {
  it("rejects with the last words of an agent that leaves", async () => {
    await expect(open("echo no licence >&2; exit 3")).rejects.toThrow(
      'The agent "parrot" could not be used: it exited before it was ready. It wrote: no licence',
    );
  });

  it("rejects, and ends the agent, when it is not ready in time", async () => {
    await expect(open("sleep 1000", 100)).rejects.toThrow("not ready within 0.1 seconds");
    expect(await sweep()).toEqual([]);
  });

  it("rejects when there is no such program", async () => {
    const launch = { command: "no-such-parrot", args: [], cwd: tmpdir(), sessionId: "s" };
    const opening = openChildSession({ agent: "parrot", processHost: host, launch, translator, encoder });
    await expect(opening).rejects.toMatchObject({ code: "agent_failed" });
  });
});

describe("an agent that still tells what is known", () => {
  it("is ready when it is quiet", async () => {
    const session = await openChildSession({
      agent: "parrot",
      processHost: host,
      launch: {
        command: "sh",
        args: ["-c", "echo ready; for n in 1 2 3; do sleep 0.05; echo old; done; cat"],
        cwd: tmpdir(),
        sessionId: "s",
      },
      translator,
      encoder: {
        ...encoder,
        open: ({ isReady }) => (isReady ? { step: "settle", quietMs: 400 } : { step: "wait" }),
      },
    });
    await session.send(prompt("new"));
    await session.close();
    const lines = (await readAll(session)).map(brief).filter((line) => /^(in old|out)/.test(line));
    expect(lines).toEqual(["in old", "in old", "in old", "out 1 new", "out 2 over"]);
  });
});

describe("a session", () => {
  it("records both directions, stderr and the process in the order of things", async () => {
    const session = await open(
      'echo chatter; echo ready; read one; echo "got $one"; read two; echo "got $two"; echo oh >&2; exit 4',
    );
    await session.send(prompt("hello"));
    const outputs = await readAll(session);
    expect(outputs.map(brief).filter((record) => record !== "stderr oh")).toEqual([
      "spawn ",
      "in chatter",
      "in ready",
      "out 1 hello",
      "out 2 over",
      "in got 1 hello",
      "in got 2 over",
      "exit 4",
    ]);
    expect(outputs.map(brief)).toContain("stderr oh");
    expect(outputs.at(-1)?.raw.data).toEqual({ event: "exit", code: 4, signal: null, stderr: "oh\n" });
    expect(outputs[0]?.raw.data).toMatchObject({
      event: "spawn",
      command: "sh",
      args: ["-c", expect.any(String)],
    });
  });

  it("encodes each command after all that was sent before it", async () => {
    const session = await open("echo ready; cat");
    await Promise.all([session.send(prompt("a")), session.send(prompt("b"))]);
    await session.close();
    const lines = (await readAll(session)).map(brief);
    expect(lines.filter((line) => line.startsWith("out"))).toEqual([
      "out 1 a",
      "out 2 over",
      "out 3 b",
      "out 4 over",
    ]);
  });

  it("outlives a line its translator stumbles over", async () => {
    const session = await open("echo ready; echo fail; echo fine");
    const outputs = await readAll(session);
    expect(
      outputs.flatMap(({ drafts }) => drafts).map((draft) => ("text" in draft ? draft.text : "")),
    ).toEqual(["ready", "I do not understand", "fine"]);
  });

  it("keeps a last line without an end", async () => {
    const session = await open("echo ready; printf half");
    expect((await readAll(session)).map(brief)).toContain("in half");
  });

  it("ends an agent that has closed its output and stays", async () => {
    const session = await open("echo ready; exec >&-; sleep 1000");
    const outputs = await readAll(session);
    expect(outputs.at(-1)?.raw.data).toMatchObject({ event: "exit", signal: "SIGTERM" });
  });

  it("has its messages to the end when it is closed before anybody reads", async () => {
    const session = await open("echo ready; echo more; cat");
    await session.close();
    await session.close();
    expect((await readAll(session)).map(brief)).toEqual(["spawn ", "in ready", "in more", "exit 0"]);
    expect(() => session.send(prompt("late"))).toThrow("closed");
  });

  it("rejects what is sent to an agent that takes no input, and throws when it is gone", async () => {
    const session = await open("echo ready; exec <&-; sleep 0.2");
    const reading = readAll(session);
    await sleep(100);
    await expect(session.send(prompt("anyone?"))).rejects.toMatchObject({ code: "session_closed" });
    await reading;
    expect(() => session.send(prompt("anyone?"))).toThrow("has exited");
  });

  it("spares what the agent started, if that is wanted", async () => {
    const session = await open('sleep 1000 </dev/null >/dev/null 2>&1 & echo "$!"; echo ready; cat');
    await session.close({ keepChildren: true });
    const lines = (await readAll(session)).map(brief);
    const child = Number(lines[1]?.slice("in ".length));
    expect(process.kill(child, 0)).toBe(true);
    expect(await sweep()).toEqual([child]);
  });
});
