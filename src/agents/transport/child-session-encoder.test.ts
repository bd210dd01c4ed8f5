/** What an encoder may do besides commands: hold them back, answer by itself, shut down. */
import { tmpdir } from "node:os";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { BackendSession } from "../../core/adapter.ts";
import { createProcessHost } from "../../process/local-process-host.ts";
import type { ProcessHost } from "../../process/process-host.ts";
import { openChildSession } from "./open-child-session.ts";
import type { Encoder, Translator } from "./translator.ts";

/** The lines in both directions, which is all this language knows. */
type Heard = readonly string[];

const translator: Translator<Heard> = {
  initial: [],
  translate: (heard, { direction, data }) =>
    direction === "process" ? [heard, []] : [[...heard, `${direction} ${data}`], []],
};

const encoder: Encoder<Heard> = {
  open: (heard) => ({ step: heard.includes("in ready") ? "ready" : "wait" }),
  encode: () => ["stop"],
  holds: (heard) => !heard.includes("in working"),
  answer: (heard) => (heard.includes("in who?") && !heard.includes("out me") ? ["me"] : []),
  shutDown: (heard) => {
    if (heard.includes("in bye")) return { step: "done" };
    return heard.includes("out leaving") ? { step: "wait" } : { step: "send", lines: ["leaving"] };
  },
};

let host: ProcessHost;
beforeAll(() => {
  host = createProcessHost({ daemonId: `manners-test-${process.pid}`, environment: process.env });
});
afterAll(() => host.close());

function open(script: string, encoding: Partial<Encoder<Heard>> = {}): Promise<BackendSession> {
  const launch = { command: "sh", args: ["-c", script], cwd: tmpdir(), sessionId: "s" };
  const options = { agent: "parrot", processHost: host, launch, translator };
  return openChildSession({ ...options, encoder: { ...encoder, ...encoding } });
}

async function linesOf(session: BackendSession): Promise<string[]> {
  const lines: string[] = [];
  for await (const { raw } of session.messages) {
    if (raw.direction !== "process") lines.push(`${raw.direction} ${raw.data}`);
  }
  return lines;
}

it("holds a command back until the agent takes it", async () => {
  const session = await open('echo ready; echo who?; read me; echo working; read stop; echo "heard $stop"');
  const lines = linesOf(session);
  await session.send({ type: "interrupt" });
  expect(await lines).toEqual(["in ready", "in who?", "out me", "in working", "out stop", "in heard stop"]);
});

it("rejects a command that was held back when the agent goes", async () => {
  const session = await open("echo ready; sleep 0.1");
  const lines = linesOf(session);
  await expect(session.send({ type: "interrupt" })).rejects.toMatchObject({ code: "session_closed" });
  await lines;
});

it("counts a long line it sent before it makes the next one, and records both in order", async () => {
  const sent = (heard: Heard) => heard.filter((line) => line.startsWith("out")).length;
  const encode = (heard: Heard) => [`${sent(heard)} ${"x".repeat(2_000_000)}`];
  const session = await open("echo ready; head -n 3 | cut -c 1", { encode, holds: () => false });
  const lines = linesOf(session);
  await Promise.all([1, 2, 3].map(() => session.send({ type: "interrupt" })));
  const starts = (await lines).map((line) => line.slice(0, 8).trimEnd());
  expect(starts.filter((line) => line.startsWith("out"))).toEqual(["out 0 xx", "out 1 xx", "out 2 xx"]);
  expect(starts.filter((line) => line.startsWith("in"))).toEqual(["in ready", "in 0", "in 1", "in 2"]);
});

it("answers once, without a command", async () => {
  const session = await open("echo ready; echo who?; read answer; echo who?; read more; echo bye");
  await session.close();
  expect((await linesOf(session)).filter((line) => line === "out me")).toHaveLength(1);
});

it("shuts the agent down before it ends it", async () => {
  const session = await open("echo ready; read word; echo bye; cat");
  await session.close();
  expect(await linesOf(session)).toEqual(["in ready", "out leaving", "in bye"]);
});

it("ends an agent that does not answer the shutdown", async () => {
  const session = await open("echo ready; read word; sleep 1000");
  await session.close();
  expect(await linesOf(session)).toEqual(["in ready", "out leaving"]);
});
