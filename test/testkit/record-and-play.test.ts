/** A real session is recorded, and the recording played through the same process host, transport, translator and machine. */
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createInbound } from "../../src/agents/mock/inbound.ts";
import { launch } from "../../src/agents/mock/launch.ts";
import { CAPABILITIES } from "../../src/agents/mock/manifest.ts";
import { outbound } from "../../src/agents/mock/outbound.ts";
import { allow } from "../../src/agents/mock/with-mock.test-support.ts";
import { compareLogs } from "../../src/agents/replay/compare-logs.ts";
import { openChildSession } from "../../src/agents/transport/open-child-session.ts";
import type { BackendAdapter } from "../../src/core/adapter.ts";
import { checkLog } from "../../src/core/check-log.ts";
import type { SessionEvent } from "../../src/core/event.ts";
import { extendSession } from "../../src/core/extend-session.ts";
import { createProcessHost } from "../../src/process/local-process-host.ts";
import type { ProcessHost } from "../../src/process/process-host.ts";
import { openRecorder, recorded, recordedCommand } from "../../src/testkit/recorder/index.ts";
import { type PlayerOptions, recordingPlayer } from "../../src/testkit/recording-player/index.ts";
import { startRun } from "../../src/testkit/session-run.ts";

/** Programs of ours are started often. */
const COMPILE_CACHE = resolve("node_modules/.cache/node-compile-cache");

let directory: string;
let host: ProcessHost;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "interlingua-recording-test-"));
  host = createProcessHost({
    daemonId: `recording-test-${process.pid}`,
    environment: { ...process.env, NODE_COMPILE_CACHE: COMPILE_CACHE },
    pass: ["NODE_COMPILE_CACHE"],
  });
});

afterAll(async () => {
  await host.close();
  rmSync(directory, { recursive: true });
});

/** The mock's adapter, with another program in place of the mock's. */
function adapterOver(program: { command: string; args: readonly string[] }): BackendAdapter {
  return {
    name: "mock",
    capabilities: CAPABILITIES,
    environmentKeys: [],
    probe: async () => ({ installed: true }),
    release: (sessionId) => host.endSession(sessionId),
    connect: (options) =>
      extendSession(CAPABILITIES, (observe) =>
        openChildSession({
          agent: "mock",
          processHost: host,
          launch: { ...program, cwd: options.cwd, sessionId: options.sessionId },
          translator: outbound,
          encoder: createInbound(options, 0),
          observe,
        }),
      ),
  };
}

function mockProgram() {
  return launch({ sessionId: "recorded", cwd: directory }, directory);
}

async function events(adapter: BackendAdapter, prompts: readonly string[]): Promise<SessionEvent[]> {
  const run = await startRun({ adapter, sessionId: "recorded", cwd: directory, answer: allow });
  for (const prompt of prompts) await run.turn(prompt);
  const log = await run.close();
  expect(checkLog(log, { complete: true })).toEqual([]);
  return log;
}

/** The answer to an ask may cross what the agent says meanwhile, so neither order nor record numbers are the same. */
function expectSame(played: readonly SessionEvent[], live: readonly SessionEvent[]): void {
  const withoutRecords = (log: readonly SessionEvent[]) => log.map(({ raw: _raw, ...event }) => event);
  expect(live.length).toBeGreaterThan(5);
  expect(compareLogs(withoutRecords(live) as SessionEvent[], withoutRecords(played) as SessionEvent[])).toBe(
    undefined,
  );
}

function play(file: string, options?: PlayerOptions): BackendAdapter {
  return adapterOver(recordingPlayer(file, { ids: ["prompt"], ...options }));
}

describe("a recording made between adapter and agent", () => {
  it("plays as the agent did, with asks and their answers", async () => {
    const file = join(directory, "asks.recording.jsonl");
    const prompts = ["scenario:rich", "scenario:approve-two", "scenario:question"];
    const live = await events(adapterOver(recordedCommand(file, mockProgram())), prompts);
    expect(live.filter(({ type }) => type === "ask.answered")).toHaveLength(3);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const played = await events(play(file), prompts);
    expectSame(played, live);
  });

  it("has the crash in it, with the last words", async () => {
    const file = join(directory, "crash.recording.jsonl");
    const ends = [];
    for (const adapter of [adapterOver(recordedCommand(file, mockProgram())), play(file)]) {
      const run = await startRun({ adapter, sessionId: "recorded", cwd: directory });
      await run.prompt("scenario:crash");
      await run.over;
      expect(run.of("turn.ended")[0]).toMatchObject({ outcome: "failed", error: { code: "agent_exited" } });
      ends.push(run.outputs.at(-1)?.raw.data);
    }
    expect(ends[0]).toMatchObject({ signal: "SIGKILL", stderr: expect.stringContaining("fatal, giving up") });
    expect(ends[1]).toEqual(ends[0]);
  });

  it("goes on in the same file with the next process", async () => {
    const file = join(directory, "twice.recording.jsonl");
    const live = adapterOver(recordedCommand(file, mockProgram()));
    const first = await events(live, ["scenario:echo first"]);
    const second = await events(live, ["scenario:echo second"]);
    for (const [index, log] of [first, second].entries()) {
      const adapter = play(file, { process: index + 1 });
      const word = index === 0 ? "first" : "second";
      expectSame(await events(adapter, [`scenario:echo ${word}`]), log);
    }
  });

  it("can be cut: the agent dies in the middle of a line", async () => {
    const file = join(directory, "cut.recording.jsonl");
    await events(adapterOver(recordedCommand(file, mockProgram())), ["scenario:echo-split abc"]);
    const lines = readFileSync(file, "utf8").split("\n");
    const cutAfter = lines.findIndex((line) => line.includes("block_delta")) + 1;
    const adapter = play(file, { cutAfter, halfLine: true, signal: "SIGKILL" });
    const run = await startRun({ adapter, sessionId: "recorded", cwd: directory });
    await run.prompt("scenario:echo-split abc");
    await run.over;
    expect(run.text).toBe("s");
    expect(run.of("agent.unknown")[0]?.native).toBe("not-json");
    expect(run.outputs.at(-1)?.raw.data).toMatchObject({ event: "exit", signal: "SIGKILL" });
    expect(checkLog(run.events, { complete: true })).toEqual([]);
  });
});

describe("a recording made of a session's outputs", () => {
  it("plays as the agent did", async () => {
    const file = join(directory, "outputs.recording.jsonl");
    const program = adapterOver(mockProgram());
    const recorder = openRecorder(file);
    const adapter: BackendAdapter = {
      ...program,
      async connect(options) {
        const session = await program.connect(options);
        return Object.assign(session, { messages: recorded(session.messages, recorder) });
      },
    };
    const live = await events(adapter, ["scenario:approve"]);
    expectSame(await events(play(file), ["scenario:approve"]), live);
  });
});

it("the recorder passes a failure to start on", async () => {
  const file = join(directory, "missing.recording.jsonl");
  const adapter = adapterOver(recordedCommand(file, { command: "no-such-program" }));
  await expect(adapter.connect({ sessionId: "missing", cwd: directory })).rejects.toThrow("no-such-program");
});
