/** `replay` and `export`, each as its own process, with a daemon and without. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SessionEvent } from "../../core/event.ts";
import type { MessageRecord } from "../../core/message-record.ts";
import type { RawRecord } from "../../core/raw-record.ts";
import type { UIMessageChunk } from "../../dialects/ai-sdk/chunk.ts";
import { eventually } from "../../testkit/eventually.ts";
import { misbehavingAcpAgent } from "../../testkit/index.ts";
import { COMMANDS, loadCommand } from "../commands.ts";
import { parseArguments } from "../parse-arguments.ts";
import { type Outcome, post, run, type Served, serve, stop } from "../test-support.ts";

let directory: string;
let daemon: Served;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "interlingua-replay-"));
  mkdirSync(join(directory, "files"));
  const odd = { protocol: "acp", command: Object.values(misbehavingAcpAgent()).flat() };
  writeFileSync(join(directory, "config.json"), JSON.stringify({ agents: { odd } }));
  daemon = await serve(["--data", directory]);
  await post(daemon, "/v1/sessions", { id: "demo", agent: "mock", title: "A demo", options: { pace: 0 } });
  await post(daemon, "/v1/sessions/demo/messages", { id: "hello", text: "scenario:text" });
  await eventually("the turn", async () => (await stored()).at(-1)?.type === "turn.ended");
});

afterAll(async () => {
  await stop(daemon);
  rmSync(directory, { recursive: true });
});

function command(...args: string[]): Promise<Outcome> {
  return run([...args, "--data", directory], { cwd: join(directory, "files") });
}

async function lines<Line>(...args: string[]): Promise<Line[]> {
  const { code, stdout, stderr } = await command(...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return parse<Line>(stdout);
}

function parse<Line>(text: string): Line[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Line);
}

async function stored(): Promise<SessionEvent[]> {
  return parse((await command("tail", "demo", "--no-follow")).stdout);
}

/** Runs it in this process, where a new one would show nothing more. */
async function attempt(name: string, words: readonly string[]): Promise<number> {
  const wanted = await loadCommand(COMMANDS.find((entry) => entry.name === name)!);
  const given = parseArguments(wanted, [...words, "--data", directory]);
  return wanted.run({ ...given, environment: {}, cwd: join(directory, "files") });
}

/** Puts a file where the commands look for files. */
function file(name: string, text: string): string {
  writeFileSync(join(directory, "files", name), text);
  return name;
}

describe("replay SESSION", () => {
  test("prints the events, with what the session was made with", async () => {
    const events = await lines<SessionEvent>("replay", "demo");
    const types = (log: SessionEvent[]) => log.map(({ type }) => type).toSorted();
    expect(types(events)).toEqual(types(await stored()));
    expect(events[0]).toMatchObject({
      session: "demo",
      agent: "mock",
      title: "A demo",
      options: { pace: 0 },
    });
  });

  test("--as messages gives the conversation", async () => {
    const messages = await lines<MessageRecord>("replay", "demo", "--as", "messages");
    expect(messages).toMatchObject([
      { id: "hello", role: "user", parts: [{ type: "text", text: "scenario:text" }] },
      { role: "assistant", replyTo: "hello", events: expect.any(Array) },
    ]);
  });

  test("--as ai-sdk gives the chunks of the stream", async () => {
    const chunks = await lines<UIMessageChunk>("replay", "demo", "--as", "ai-sdk");
    const types = chunks.map(({ type }) => type);
    expect([types[0], types.at(-1)]).toEqual(["start", "finish"]);
    expect(types).toContain("text-delta");
    expect(chunks[0]).toMatchObject({
      messageMetadata: { agent: "mock", session: "demo", replyTo: "hello" },
    });
  });

  test("--as raw gives the records", async () => {
    const records = await lines<RawRecord>("replay", "demo", "--as", "raw");
    expect(records[0]).toMatchObject({ rawSeq: 1, direction: "process", data: { event: "spawn" } });
    expect(records.map(({ rawSeq }) => rawSeq)).toEqual(records.map((_, index) => index + 1));
  });

  test("an agent that only the config knows is understood without --agent", async () => {
    await post(daemon, "/v1/sessions", { id: "odd", agent: "odd" });
    await post(daemon, "/v1/sessions/odd/messages", { text: "text" });
    const log = async () => parse<SessionEvent>((await command("tail", "odd", "--no-follow")).stdout);
    await eventually("the turn", async () => (await log()).at(-1)?.type === "turn.ended");
    const events = await lines<SessionEvent>("replay", "odd");
    expect(events[0]).toMatchObject({ type: "session.created", agent: "odd" });
    expect(events.map(({ type }) => type)).toContain("text.delta");
    expect((await command("replay", "odd", "--verify")).stdout).toMatch("is the same");
    const elsewhere = file("other.json", "{}");
    const { code, stderr } = await command("replay", "odd", "--config", elsewhere);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/"odd".*--config.*acp/) });
  });

  test("--verify of a fork names how much of it was copied, and compares the rest", async () => {
    const response = await post(daemon, "/v1/sessions/demo/fork", {});
    const { id } = (await response.json()) as { id: string };
    await post(daemon, `/v1/sessions/${id}/messages`, { text: "scenario:text" });
    const log = async () => parse<SessionEvent>((await command("tail", id, "--no-follow")).stdout);
    const ends = async () => (await log()).filter(({ type }) => type === "turn.ended").length;
    await eventually("the second turn", async () => (await ends()) === 2);
    const { code, stdout } = await command("replay", id, "--verify");
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(
        /^The replay is the same as .* \(events: \d+, without \d+ that were copied: /,
      ),
    });
  });

  test("--verify says that it is the same", async () => {
    const { code, stdout } = await command("replay", "demo", "--verify");
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^The replay is the same as session "demo" \(events: \d+\)\n$/),
    });
  });
});

test("a recording of ACP version 2 is refused, and not told wrongly", async () => {
  const line = (dir: string, msg: object) => JSON.stringify({ dir, t: 0, msg: { jsonrpc: "2.0", ...msg } });
  const name = file(
    "version-2.jsonl",
    [
      line("client", {
        id: 0,
        method: "initialize",
        params: { protocolVersion: 2, info: {}, capabilities: {} },
      }),
      line("agent", { id: 0, result: { protocolVersion: 2, info: { name: "later" }, capabilities: {} } }),
      line("client", { id: 1, method: "session/new", params: { cwd: "/", mcpServers: [] } }),
      line("agent", { id: 1, result: { sessionId: "s" } }),
      line("client", { id: 2, method: "session/prompt", params: { sessionId: "s", prompt: [] } }),
      line("agent", { id: 2, result: { messageId: "m" } }),
    ].join("\n"),
  );
  const { code, stdout, stderr } = await command("replay", name, "--agent", "acp");
  expect({ code, told: parse<SessionEvent>(stdout).map(({ type }) => type) }).toEqual({
    code: 1,
    told: ["session.created"],
  });
  expect(stderr).toMatch(
    /^[^\n]*version 2 of the Agent Client Protocol, and only version 1 is understood[^\n]*\n$/,
  );
});

describe("export", () => {
  test("gives a recording that means the same", async () => {
    const { code, stdout, stderr } = await command("export", "demo");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const [first] = parse<object>(stdout);
    expect(first).toMatchObject({ dir: "meta", t: 0, generation: 1, kind: "proc", msg: { event: "spawn" } });
    const name = file("demo.jsonl", stdout);
    const records = await lines("replay", name, "--agent", "mock", "--as", "raw");
    expect(records).toEqual(await lines("replay", "demo", "--as", "raw"));
    const told = (events: SessionEvent[]) =>
      events
        .filter(({ type }) => !/^session\.(created|detached)/.test(type))
        .map((event) => ({ ...event, session: "" }));
    const events = await lines<SessionEvent>("replay", name, "--agent", "mock");
    expect(told(events)).toEqual(told(await lines<SessionEvent>("replay", "demo")));
  });

  test("--output writes a file for its owner only, and overwrites none", async () => {
    const path = join(directory, "files", "out.recording.jsonl");
    expect(await command("export", "demo", "--as", "raw", "--output", "out.recording.jsonl")).toEqual({
      code: 0,
      stdout: "",
      stderr: "",
    });
    expect(readFileSync(path, "utf8")).toBe((await command("export", "demo")).stdout);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const again = await command("export", "demo", "--output", "out.recording.jsonl");
    expect(again).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining(`${path} exists`) });
  });

  test.each<[string[], string]>([
    [["nobody"], 'There is no session "nobody"'],
    [["demo", "--as", "pdf"], '--as: there is no format "pdf". Use one of raw.'],
  ])("%j", async (args, problem) => {
    await expect(attempt("export", args)).rejects.toThrow(problem);
  });
});

describe("replay FILE", () => {
  test("--verify compares with the events beside it, and shows where they differ", async () => {
    const { stdout: recording } = await command("export", "demo");
    file("x.recording.jsonl", recording);
    const { stdout: events } = await command("replay", "x.recording.jsonl", "--agent", "mock");
    file("x.events.jsonl", events);
    const same = await command("replay", "x.recording.jsonl", "--agent", "mock", "--verify");
    expect(same).toMatchObject({ code: 0, stdout: expect.stringContaining("The replay is the same as") });
    file("x.events.jsonl", events.replace('"outcome":"completed"', '"outcome":"limit"'));
    const other = await command("replay", "x.recording.jsonl", "--agent", "mock", "--verify");
    expect(other.code).toBe(1);
    expect(other.stdout).toMatch(
      /^The replay differs from .*x\.events\.jsonl at seq \d+\.\nstored: {3}\{.*"limit".*\}\nreplayed: \{.*"completed".*\}\n$/,
    );
  });

  test("what an agent said may hold the line ends of others", async () => {
    const said = { text: "one\u2028two\u2029three" };
    file("separators.jsonl", `${JSON.stringify({ dir: "agent", t: 0, msg: said })}\n`);
    const records = await lines<RawRecord>("replay", "separators.jsonl", "--agent", "mock", "--as", "raw");
    expect(records.map(({ data }) => data)).toEqual([JSON.stringify(said)]);
  });

  test.each<[string[], RegExp]>([
    [["nothing.jsonl", "--agent", "mock"], /There is no file .*nothing\.jsonl\. Give a recording/],
    [["nobody"], /There is no session "nobody"/],
    [["../files", "--agent", "mock"], /files is not a file\. Give a recording\./],
    [["text.jsonl", "--agent", "mock"], /text\.jsonl is not a recording\. Line 2 is not JSON\./],
    [
      ["other.jsonl", "--agent", "mock"],
      /other\.jsonl is not a recording\. Line 1 is no line of a recording/,
    ],
    [["empty.jsonl", "--agent", "mock", "--verify"], /There is nothing to compare .*empty\.jsonl with/],
    [["empty.jsonl"], /--agent: a recording does not name its agent\. Give one of .*mock/],
    [["empty.jsonl", "--agent", "hal"], /--agent: nobody here understands "hal"\. .* give one of .*mock/],
    [["demo", "--as", "xml"], /--as: there is no format "xml"\. Use one of events, messages, ai-sdk, raw\./],
    [[], /replay needs FILE\|SESSION/],
  ])("%j", async (args, problem) => {
    file("empty.jsonl", "");
    file("text.jsonl", '{"dir":"meta","t":0,"kind":"note"}\nhello\n');
    file("other.jsonl", '{"hello":"world"}\n');
    await expect(attempt("replay", args)).rejects.toThrow(problem);
  });
});

test("without a daemon the data directory is read", async () => {
  const before = await command("export", "demo");
  await stop(daemon);
  const note = expect.stringContaining("No daemon runs on");
  const exported = await command("export", "demo");
  expect(exported).toMatchObject({ code: 0, stderr: note });
  // Its agent has left since.
  expect(exported.stdout.startsWith(before.stdout)).toBe(true);
  expect(await command("replay", "demo", "--verify")).toMatchObject({ code: 0, stderr: note });
});
