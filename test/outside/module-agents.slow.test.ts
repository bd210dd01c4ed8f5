/** Agents whose adapters are modules that the config names: run in a real daemon, and what is wrong with them is told. */
import { execFile } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { checkLog } from "../../src/core/check-log.ts";
import type { EventOf, SessionEvent } from "../../src/core/event.ts";
import { until } from "../../src/testkit/until.ts";
import { DaemonProcess } from "../crash/daemon-process.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const BIN = join(ROOT, "bin/interlingua.js");

let directory: string;

function makeDirectory(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), "interlingua-modules-")));
}

function writeConfig(agents: object, more: object = {}): void {
  writeFileSync(join(directory, "config.json"), JSON.stringify({ agents, ...more }));
}

async function eventsOf(daemon: DaemonProcess, session: string): Promise<SessionEvent[]> {
  return (await daemon.events(session)).map((line) => JSON.parse(line) as SessionEvent);
}

/** Prompts and gives the end of the turn, and the whole log, which keeps its rules. */
async function turn(
  daemon: DaemonProcess,
  session: string,
  text: string,
): Promise<{ ended: EventOf<"turn.ended">; events: SessionEvent[]; text: string }> {
  const before = (await eventsOf(daemon, session)).filter(({ type }) => type === "turn.ended").length;
  await daemon.prompt(session, text);
  let events: SessionEvent[] = [];
  await until(async () => {
    events = await eventsOf(daemon, session);
    return events.filter(({ type }) => type === "turn.ended").length > before;
  });
  expect(checkLog(events)).toEqual([]);
  const ended = events.findLast((event) => event.type === "turn.ended")!;
  const said = events.filter(
    (event) => event.type === "text.delta" && "turn" in event && event.turn === ended.turn,
  );
  return { ended, events, text: said.map((event) => (event as EventOf<"text.delta">).delta).join("") };
}

describe("in a daemon", () => {
  let daemon: DaemonProcess;
  let count = 0;

  beforeAll(async () => {
    directory = makeDirectory();
    copyFileSync(join(import.meta.dirname, "odd-adapter.ts"), join(directory, "odd-adapter.ts"));
    writeConfig(
      {
        mine: { module: "./odd-adapter.ts", options: { some: "option" }, env: { MINE: "$MY_SECRET" } },
        unwell: { module: "odd-adapter.ts", options: { probe: "throws" } },
      },
      { limits: { connectTimeoutMs: 2000, stopGraceMs: 200 } },
    );
    daemon = await DaemonProcess.start(directory, { environment: { MY_SECRET: "a-very-secret-value" } });
  }, 60_000);

  afterAll(async () => {
    await daemon.kill("SIGTERM");
    rmSync(directory, { recursive: true });
  });

  async function create(body: object = {}): Promise<string> {
    count += 1;
    const id = `s${count}`;
    await daemon.call("POST", "/v1/sessions", { id, agent: "mine", ...body });
    return id;
  }

  it("is listed under the name of the config, and probed", async () => {
    const { agents } = (await daemon.call("GET", "/v1/agents")) as { agents: { name: string }[] };
    expect(agents.map(({ name }) => name)).toEqual(expect.arrayContaining(["mock", "mine", "unwell"]));
    expect(await daemon.call("GET", "/v1/agents/mine")).toMatchObject({
      name: "mine",
      status: { version: "1.2.3" },
    });
    expect(await daemon.call("GET", "/v1/agents/unwell")).toMatchObject({
      status: { installed: false, remedy: "probe of agents.unwell.module failed: no probe today" },
    });
    const { stdout } = await promisify(execFile)(process.execPath, [BIN, "agents", "--data", directory], {
      env: { ...process.env, MY_SECRET: "a-very-secret-value" },
    });
    expect(stdout).toMatch(/^mine +yes +1\.2\.3/m);
  });

  it("runs turns, with what the config gives it; what is secret is masked", async () => {
    const id = await create();
    expect(await turn(daemon, id, "hello")).toMatchObject({
      ended: { outcome: "completed" },
      text: "You said: hello",
    });
    const { text } = await turn(daemon, id, "environment");
    expect(text).toContain('{"some":"option"}');
    expect(text).not.toContain("a-very-secret-value");
    expect(text).toContain("MINE");
  });

  it("what it yields that is nothing becomes agent.unknown, and the turn goes on", async () => {
    const id = await create();
    const { events, text, ended } = await turn(daemon, id, "garbage");
    expect(ended.outcome).toBe("completed");
    expect(text).toContain("after garbage");
    expect(events.filter(({ type }) => type === "agent.unknown").length).toBeGreaterThanOrEqual(5);
  });

  it("what it yields is bounded", async () => {
    const id = await create();
    const { events, ended } = await turn(daemon, id, "huge");
    expect(ended.outcome).toBe("completed");
    expect(Math.max(...events.map((event) => JSON.stringify(event).length))).toBeLessThan(2_000_000);
  });

  it.each([
    ["throw in the stream", "the stream broke"],
    ["reject", "nobody caught this"],
    ["timer", "thrown in a timer"],
  ])("an error nobody caught (%s) fails its turn and ends nothing else", async (prompt, reason) => {
    const [id, other] = [await create(), await create()];
    await turn(daemon, other, "hello");
    const { ended } = await turn(daemon, id, prompt);
    expect(ended).toMatchObject({
      outcome: "failed",
      error: { code: "agent_failed", message: expect.stringContaining(reason) },
    });
    expect((await turn(daemon, other, "still there?")).text).toBe("You said: still there?");
    // It is connected again.
    expect((await turn(daemon, id, "and you?")).text).toBe("You said: and you?");
  });

  it.each([
    ["throw", "the service is down"],
    ["hang", "was not ready within 2 seconds"],
    ["reject-elsewhere", "nobody looked at this"],
    ["no-session", "it has no method send"],
    ["other-id", "its sessionId is not"],
  ])("that cannot be connected fails the turn: %s", async (fault, reason) => {
    const id = await create({ options: { fault } });
    const { ended } = await turn(daemon, id, "hello");
    expect(ended).toMatchObject({
      outcome: "failed",
      error: { code: "agent_failed", message: expect.stringContaining(reason) },
    });
  });

  it("options it refuses fail the turn with its words", async () => {
    const id = await create({ options: { colour: "red" } });
    const { ended } = await turn(daemon, id, "hello");
    expect(ended.error).toEqual({ code: "invalid_request", message: "options.colour: is not known." });
  });

  it("that neither takes a command nor closes is left all the same", { timeout: 60_000 }, async () => {
    const id = await create({ options: { fault: "close" } });
    await daemon.prompt(id, "deaf");
    await until(async () => (await eventsOf(daemon, id)).some(({ type }) => type === "turn.started"));
    await daemon.call("POST", `/v1/sessions/${id}/interrupt`);
    await until(async () => (await eventsOf(daemon, id)).some(({ type }) => type === "turn.ended"));
    const events = await eventsOf(daemon, id);
    expect(events.find(({ type }) => type === "turn.ended")).toMatchObject({ outcome: "interrupted" });
    expect(checkLog(events)).toEqual([]);
  });

  it.each<[string, object, (session: string) => string]>([
    ["an id that the agent reports", {}, () => "one"],
    ["an id that the adapter supplies", { options: { fault: "no-id" } }, (session) => `own-${session}`],
  ])("keeps its conversation over kill -9 of the daemon: %s", { timeout: 60_000 }, async (_, body, named) => {
    const id = await create(body);
    await turn(daemon, id, "before");
    await daemon.kill();
    daemon = await DaemonProcess.start(directory, { environment: { MY_SECRET: "a-very-secret-value" } });
    const { text, events } = await turn(daemon, id, "after");
    expect(text).toBe("You said: after");
    const ids = events.flatMap((event) =>
      (event.type === "session.attached" || event.type === "session.updated") && event.agentSessionId
        ? event.agentSessionId
        : [],
    );
    expect([...new Set(ids)]).toEqual([named(id)]);
    expect(events.filter((event) => event.type === "notice" && event.code === "resume")).toEqual([]);
  });
});

describe("a module that cannot be used is refused at the start, in one line", () => {
  beforeEach(() => {
    directory = makeDirectory();
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  /** What `serve` says; it must not start. */
  async function refusal(): Promise<string> {
    const args = [BIN, "serve", "--port", "0", "--data", directory, "--root", directory];
    const failed = await promisify(execFile)(process.execPath, args).then(
      () => ({ stderr: "it started" }),
      (error: { stderr: string }) => error,
    );
    return failed.stderr;
  }

  const file = (name: string, content: string) => {
    writeFileSync(join(directory, name), content);
    return name;
  };

  const CAPABILITIES =
    "{ streaming: true, permissions: true, questions: false, slashCommands: false, steer: false, reportsSteering: false, fork: false, resume: false, rewind: false, images: false, setModel: false, modes: [], moreModes: false, permissionModes: [], availability: 'local' }";

  const FOUR = "{ streaming: true, permissions: true, slashCommands: false, availability: 'local' }";

  it.each<[string, string, string]>([
    ["no default", "export const adapter = {};", "it has no default export"],
    ["a syntax error", "export default {;", "it could not be loaded"],
    ["throws", "throw new Error('not today');", "it could not be loaded: not today."],
    ["imports nothing", "import 'no-such-package';", "Install the package beside the file"],
    ["an enum", "enum A { B }\nexport default {};", "write it without enums"],
    ["a number", "export default 5;", "gives no adapter"],
    ["no connect", "export default { capabilities: {} };", "the adapter has no method connect"],
    [
      "no capability",
      "export default { connect() {}, probe() {}, capabilities: { modes: [] } };",
      "capabilities.streaming",
    ],
    [
      "a factory that throws",
      "export default () => { throw new Error('no key') };",
      "making the adapter failed: no key",
    ],
    [
      "a class that throws",
      "export default class { constructor() { throw new Error('no key') } };",
      "making the adapter failed: no key",
    ],
    [
      "a class that expects the context",
      "export default class { constructor({ directory }) { this.directory = directory } };",
      "A class gets no arguments. Export a function that gets the context and gives the adapter.",
    ],
    [
      "unified of an adapter that is none",
      `export const unified = {}; export default { connect() {}, capabilities: ${CAPABILITIES} };`,
      "its export unified is for adapters of the UnifiedMessage shape. Take it out.",
    ],
    [
      "unified that cannot be used",
      `export const unified = { capabilities: { resume: "yes" } }; export default { name: "x", connect() {}, capabilities: ${FOUR} };`,
      "its export unified.capabilities.resume cannot be used",
    ],
    [
      "probe is no method",
      `export default { connect() {}, probe: 1, capabilities: ${CAPABILITIES} };`,
      "the adapter's probe is no method",
    ],
    [
      "a title that cannot be shown",
      `export default { connect() {}, title: "", capabilities: ${CAPABILITIES} };`,
      "the adapter's title is no text of 1 to 64 characters",
    ],
  ])("%s", async (_, content, reason) => {
    writeConfig({ mine: { module: file("mine.ts", content) } });
    const said = await refusal();
    expect(said).toContain(`agents.mine.module: ${join(directory, "mine.ts")}: `);
    expect(said).toContain(reason);
    expect(said.trim().split("\n")).toHaveLength(1);
  });

  it("options that nothing takes", async () => {
    writeConfig({
      mine: {
        module: file("mine.ts", `export default { connect() {}, capabilities: ${CAPABILITIES} };`),
        options: {},
      },
    });
    expect(await refusal()).toContain("nothing takes the options. Take them out.");
  });

  it("options for a class", async () => {
    writeConfig({ mine: { module: file("mine.ts", "export default class {};"), options: {} } });
    expect(await refusal()).toContain("its default export is a class, so nothing takes the options.");
  });

  it("a file that is not there, that others can write, or that is no file", async () => {
    writeConfig({ mine: { module: "mine.ts" } });
    expect(await refusal()).toContain(
      `agents.mine.module: there is no file ${join(directory, "mine.ts")}. Correct the path.`,
    );
    file("mine.ts", "export default 5;");
    chmodSync(join(directory, "mine.ts"), 0o666);
    expect(await refusal()).toContain(
      `can be written by others. Run: chmod go-w ${join(directory, "mine.ts")}`,
    );
    chmodSync(join(directory, "mine.ts"), 0o644);
    mkdirSync(join(directory, "open"));
    chmodSync(join(directory, "open"), 0o777);
    writeFileSync(join(directory, "open/mine.ts"), "export default 5;");
    // The link leads there.
    symlinkSync(join(directory, "open/mine.ts"), join(directory, "link.ts"));
    writeConfig({ mine: { module: "link.ts" } });
    expect(await refusal()).toContain(`${join(directory, "open")} can be written by others`);
    writeConfig({ mine: { module: "open" } });
    expect(await refusal()).toContain("is not a regular file");
  });

  it.each<[object, string]>([
    [{ mock: { module: "./a.ts" } }, 'the agent "mock" comes with Interlingua'],
    [{ "claude-code": { module: "./a.ts" } }, 'the agent "claude-code" comes with Interlingua'],
    [{ "a b": { module: "./a.ts" } }, "agents.a b: use up to 64 letters"],
    [{ mine: { module: "./a.ts", command: "x" } }, "agents.mine.command: the module runs the agent itself"],
    [
      { mine: { module: "./a.ts", protocol: "acp" } },
      "agents.mine.protocol: the module runs the agent itself",
    ],
    [{ mine: { module: "" } }, "agents.mine.module: must not be empty"],
    [{ mine: { options: {} } }, 'agents.mine: there is no agent "mine"'],
    [{ mock: { options: {} } }, "agents.mock.options: mock comes with Interlingua and has no such setting"],
  ])("%j", async (agents, reason) => {
    file("a.ts", "export default 5;");
    writeConfig(agents);
    expect(await refusal()).toContain(reason);
  });

  it("doctor tells, too", async () => {
    writeConfig({ mine: { module: file("mine.ts", "export default 5;") } });
    const args = [BIN, "doctor", "--data", directory];
    const { stdout } = await promisify(execFile)(process.execPath, args).catch(
      (error: { stdout: string }) => error,
    );
    expect(stdout.replace(/\s+/g, " ")).toContain("its default export gives no adapter");
  });
});
