/**
 * Recordings of the real Claude Code, played as its program: real process, transport, translator and machine, with the
 * commands that the recorded client gave. What comes of it is what the fixture says the recording means.
 */
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { protocol } from "../../src/agents/claude/protocol.ts";
import { readRecording } from "../../src/agents/replay/recording-reader.ts";
import type { BackendAdapter } from "../../src/core/adapter.ts";
import { checkLog } from "../../src/core/check-log.ts";
import type { Command } from "../../src/core/command.ts";
import type { SessionEvent } from "../../src/core/event.ts";
import { promptText } from "../../src/core/prompt-part.ts";
import { createProcessHost } from "../../src/process/local-process-host.ts";
import type { ProcessHost } from "../../src/process/process-host.ts";
import { recordingPlayer } from "../../src/testkit/recording-player/index.ts";
import { type SessionRun, startRun } from "../../src/testkit/session-run.ts";

const FIXTURES = resolve(import.meta.dirname, "../fixtures/language/claude");
/** Without a prompt on the command line: ours goes over the pipe. */
const NAMES = globSync("*.recording.jsonl", { cwd: FIXTURES })
  .map((file) => file.replace(".recording.jsonl", ""))
  .filter((name) => read(`${name}.recording.jsonl`).includes('"dir":"client"'))
  .sort();

/** Programs of ours are started often. */
const COMPILE_CACHE = resolve("node_modules/.cache/node-compile-cache");

let directory: string;
let host: ProcessHost;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "interlingua-whole-path-test-"));
  host = createProcessHost({
    daemonId: `whole-path-test-${process.pid}`,
    environment: { ...process.env, NODE_COMPILE_CACHE: COMPILE_CACHE },
    pass: ["NODE_COMPILE_CACHE"],
  });
});

afterAll(async () => {
  await host.close();
  rmSync(directory, { recursive: true });
});

function read(file: string): string {
  return readFileSync(join(FIXTURES, file), "utf8");
}

function adapterOver(file: string): BackendAdapter {
  const program = {
    ...recordingPlayer(join(FIXTURES, file), { version: "2.1.325" }),
    from: "config" as const,
  };
  return protocol.createAdapter({
    processHost: host,
    programs: { find: async () => program, install: async () => program },
    environment: () => ({}),
    directory: tmpdir,
  });
}

/** The commands of the recorded client, each with how many lines the agent had said before. */
function commandsOf(recording: string): { command: Command; after: number }[] {
  const commands: { command: Command; after: number }[] = [];
  let state = protocol.translator.initial;
  let after = 0;
  for (const record of readRecording(recording)) {
    for (const command of protocol.decodeCommands(state, record)) commands.push({ command, after });
    [state] = protocol.translator.translate(state, record);
    if (record.direction === "in") after += 1;
  }
  return commands;
}

async function give(run: SessionRun, command: Command): Promise<void> {
  if (command.type === "prompt") {
    await run.prompt(promptText(command.parts), { steer: run.machine.state.turn !== undefined });
  } else if (command.type === "interrupt") {
    await run.interrupt();
  } else if (command.type === "reply") {
    const { ask: native, effect: _effect, type: _type, ...answer } = command;
    await run.reply(run.of("ask.opened").find((ask) => ask.native === native)!, answer);
  } else {
    await run.session.send(command);
  }
}

/** What happened, without ids and times and without what people did. */
function gist(events: readonly SessionEvent[]): string[] {
  const text = new Map<string, string>();
  const happened: string[] = [];
  for (const event of events) {
    if (event.type === "text.delta") text.set(event.part, (text.get(event.part) ?? "") + event.delta);
    if (event.type === "text.end") happened.push(`said ${text.get(event.part)}`);
    if (event.type === "tool.start") happened.push(`called ${event.name}`);
    if (event.type === "tool.output") happened.push(`output ${JSON.stringify(event.output)}`);
    if (event.type === "tool.failed") happened.push(`failed ${event.error}`);
    if (event.type === "tool.denied") happened.push("denied");
    if (event.type === "ask.opened") happened.push(`asked ${event.kind} ${event.title}`);
    if (event.type === "task.ended") happened.push(`task ${event.outcome}`);
    if (event.type === "turn.ended") happened.push(`turn ${event.outcome}`);
  }
  return happened;
}

it("there are recordings", () => {
  expect(NAMES.length).toBeGreaterThan(5);
});

describe.each(NAMES)("%s", (name) => {
  it("goes the whole way", async () => {
    const file = `${name}.recording.jsonl`;
    const recording = read(file);
    const run = await startRun({ adapter: adapterOver(file), cwd: directory });
    const heard = () => run.outputs.filter(({ raw }) => raw.direction === "in").length;
    for (const { command, after } of commandsOf(recording)) {
      await run.until(() => heard() >= after);
      await give(run, command);
    }
    const lines = [...readRecording(recording)].filter(({ direction }) => direction === "in").length;
    await run.until(() => heard() >= lines);
    const log = await run.close();
    expect(checkLog(log, { complete: true })).toEqual([]);
    const fixture = read(`${name}.events.jsonl`).trim().split("\n");
    expect(fixture.join()).toContain("turn.ended");
    expect(gist(log)).toEqual(gist(fixture.map((line) => JSON.parse(line))));
  });
});
