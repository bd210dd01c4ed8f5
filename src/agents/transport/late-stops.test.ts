/** A stop that reaches the transport, or the agent, when its turn is over. */
import { tmpdir } from "node:os";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import type { AgentOutput, BackendSession } from "../../core/adapter.ts";
import type { Draft } from "../../core/draft.ts";
import { createProcessHost } from "../../process/local-process-host.ts";
import type { ProcessHost } from "../../process/process-host.ts";
import { until } from "../../testkit/until.ts";
import { openChildSession } from "./open-child-session.ts";
import type { Encoder, Translator } from "./translator.ts";

const DRAFTS: Readonly<Record<string, Draft>> = {
  call: { type: "tool.start", call: "c", name: "shell" },
  ask: { type: "ask.opened", ask: "q", kind: "permission", call: "c", title: "Run it?", options: [] },
  ended: { type: "turn.ended", outcome: "completed" },
};

const translator: Translator<undefined> = {
  initial: undefined,
  translate(state, { direction, data }) {
    const draft = direction === "in" && typeof data === "string" ? DRAFTS[data] : undefined;
    return [state, draft ? [draft] : []];
  },
};

const WORDS = { interrupt: "stop", reply: "no", configure: "set", rewind: "forget", stopTask: "end" };

const encoder: Encoder<undefined> = {
  open: () => ({ step: "ready" }),
  encode: (_, command) => [command.type === "prompt" ? command.message : WORDS[command.type]],
};

let host: ProcessHost;
beforeAll(() => {
  host = createProcessHost({ daemonId: `late-stops-${process.pid}`, environment: process.env });
});
afterAll(() => host.close());

interface Opened {
  readonly session: BackendSession;
  /** All records, also those nobody has read. */
  readonly records: string[];
  prompt(message: string): Promise<void>;
  /** Until then a stop looks which commands run. */
  readonly looking: PromiseWithResolvers<void>;
}

/** The agent is a shell script. */
async function open(script: string): Promise<Opened> {
  const records: string[] = [];
  const looking = Promise.withResolvers<void>();
  const session = await openChildSession({
    agent: "parrot",
    processHost: {
      spawn: (options) => host.spawn(options),
      runningCommands: () => looking.promise.then(() => ({ async end() {} })),
    },
    launch: { command: "sh", args: ["-c", script], cwd: tmpdir(), sessionId: "s" },
    translator,
    encoder,
    observe: ({ raw }: AgentOutput) =>
      records.push(raw.direction === "process" ? String(raw.data.event) : `${raw.direction} ${raw.data}`),
  });
  onTestFinished(() => session.close());
  const prompt = (message: string) => session.send({ type: "prompt", message, parts: [] });
  return { session, records, prompt, looking };
}

async function readAll({ messages }: BackendSession): Promise<void> {
  for await (const _ of messages);
}

it("a stop is given to the agent though its turn ended while running commands were looked for", async () => {
  const { session, records, prompt, looking } = await open("read one; echo call; read two; echo ended; cat");
  void readAll(session);
  await prompt("one");
  await until(() => records.includes("in call"));
  const stop = session.send({ type: "interrupt" });
  await prompt("two");
  await until(() => records.includes("in ended"));
  looking.resolve();
  await stop;
  await prompt("three");
  await until(() => records.includes("in three"));
  expect(records).not.toContain("out stop");
});

it("a stop is given to the agent though the end of its turn was heard and only not read yet", async () => {
  const { session, records, prompt } = await open("read one; echo ended; cat");
  const batches = session.batches![Symbol.asyncIterator]();
  await batches.next();
  const next = batches.next();
  await prompt("one");
  await next;
  await until(() => records.includes("in ended"));
  await session.send({ type: "interrupt" });
  expect(records).not.toContain("out stop");
  await batches.next();
  await session.send({ type: "interrupt" });
  expect(records).toContain("out stop");
});

it("a stop follows the exit of the agent", async () => {
  const { session, records, prompt, looking } = await open("read one; echo call; read two");
  const reading = readAll(session);
  await prompt("one");
  await until(() => records.includes("in call"));
  const stop = session.send({ type: "interrupt" });
  await prompt("two");
  await reading;
  looking.resolve();
  await expect(stop).rejects.toMatchObject({ code: "session_closed" });
  expect(records.at(-1)).toBe("exit");
});

it("a stop is given to an agent whose session is closed", async () => {
  const { session, records, prompt, looking } = await open("read one; echo call; cat");
  void readAll(session);
  await prompt("one");
  await until(() => records.includes("in call"));
  const stop = session.send({ type: "interrupt" });
  const closed = session.close();
  looking.resolve();
  await expect(stop).rejects.toMatchObject({ code: "session_closed" });
  await closed;
  expect(records).not.toContain("out stop");
});

it("a stop waits for a look at the commands of a call that was declined", async () => {
  const { session, records, prompt } = await open("read one; echo call; echo ask; cat");
  void readAll(session);
  await prompt("one");
  await until(() => records.includes("in ask"));
  await session.send({ type: "reply", ask: "q", effect: "reject" });
  void session.send({ type: "interrupt" }).catch(() => {});
  await until(() => records.includes("in stop"), 5000);
});
