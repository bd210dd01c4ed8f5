/** What holds for every command of the table. A new one needs an entry in `SAMPLES`. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../testkit/eventually.ts";
import { COMMANDS, loadCommands } from "./commands.ts";
import { post, run, type Served, serve, stop } from "./test-support.ts";

interface Sample {
  /** What it is called with, so that it succeeds. */
  readonly args: readonly string[];
  /** What it reads from stdin. */
  readonly input?: string;
  /** It prints this form anyway, so it has no `--json`. */
  readonly prints?: "JSON lines" | "text";
  /** It changes nothing, and so needs no daemon. */
  readonly onlyReads?: boolean;
  /** It takes no daemon, or is one. */
  readonly withoutUrl?: boolean;
}

const FILE = join(tmpdir(), "interlingua-no-such-file");

const SAMPLES: Readonly<Record<string, Sample>> = {
  serve: { args: [], prints: "text", withoutUrl: true },
  stop: { args: [], withoutUrl: true },
  open: { args: ["demo", "--print"] },
  run: { args: ["scenario:text", "--session", "demo"], prints: "JSON lines" },
  chat: { args: ["--session", "demo"], input: "scenario:text\n", prints: "JSON lines" },
  join: { args: ["demo"], input: "scenario:text\n", prints: "JSON lines" },
  sessions: { args: [], onlyReads: true },
  "sessions show": { args: ["demo"], onlyReads: true },
  "sessions rename": { args: ["demo", "Another title"] },
  "sessions pin": { args: ["demo"] },
  "sessions unpin": { args: ["demo"] },
  "sessions archive": { args: ["demo"] },
  "sessions unarchive": { args: ["demo"] },
  "sessions interrupt": { args: ["demo"] },
  "sessions close": { args: ["closing"] },
  "sessions delete": { args: ["doomed", "--yes"] },
  search: { args: ["scenario"], onlyReads: true },
  queue: { args: ["busy"], onlyReads: true },
  "queue edit": { args: ["busy", "edited", "scenario:text"] },
  "queue move": { args: ["busy", "moved", "edited"] },
  "queue send": { args: ["steered", "sent"] },
  "queue release": { args: ["busy"] },
  "queue remove": { args: ["busy", "removed"] },
  directories: { args: [] },
  nodes: { args: [] },
  files: { args: ["demo"] },
  tasks: { args: ["serving"] },
  "tasks stop": { args: ["serving", "TASK"] },
  checkpoints: { args: ["demo"] },
  changes: { args: ["demo"] },
  diff: { args: ["demo"] },
  restore: { args: ["demo", "last"] },
  approve: { args: ["demo"] },
  reset: { args: ["demo"] },
  "workspace size": { args: [] },
  "workspace gc": { args: [] },
  tail: { args: ["demo", "--no-follow"], prints: "JSON lines", onlyReads: true },
  asks: { args: [], onlyReads: true },
  "asks reply": { args: ["asking", "ASK", "once"] },
  agents: { args: [], onlyReads: true },
  "agents install": { args: ["NAME"] },
  usage: { args: [], onlyReads: true },
  "token create": { args: ["anna", "--role", "observer", "--expires", "1h"] },
  "token list": { args: [] },
  "token revoke": { args: ["revoked"] },
  invite: { args: ["demo"] },
  audit: { args: [] },
  "notify test": { args: [], withoutUrl: true },
  replay: { args: ["demo"], prints: "JSON lines", onlyReads: true },
  xray: { args: ["demo"] },
  export: { args: ["demo"], prints: "JSON lines", onlyReads: true },
  fork: { args: ["demo"] },
  doctor: { args: [], withoutUrl: true },
  "db check": { args: [], onlyReads: true, withoutUrl: true },
  "db copy": { args: ["from", "to"], withoutUrl: true },
  backup: { args: [FILE], withoutUrl: true },
  "backup restore": { args: [FILE], withoutUrl: true },
  completion: { args: ["bash"], prints: "text", withoutUrl: true },
};

/** They need more than a daemon: nothing that is installed, no backup, checkpoints, and a daemon that is not there. */
const OF_THEIR_OWN = [
  ...["serve", "stop", "agents install", "db copy", "backup", "backup restore"],
  ...["changes", "diff", "restore", "approve", "reset"],
];

const commands = await loadCommands();
const callable = commands.map(({ name }) => name).filter((name) => !OF_THEIR_OWN.includes(name));

let directory: string;
let daemon: Served;
let ask: string;
let task: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "interlingua-every-command-"));
  daemon = await serve(["--data", directory], { cwd: directory });
  for (const id of ["demo", "closing", "doomed", "busy", "asking", "steered", "serving"])
    await post(daemon, "/v1/sessions", { id, agent: "mock", options: { pace: 0 } });
  await post(daemon, "/v1/tokens", { name: "revoked", role: "observer" });
  const prompt = (session: string, text: string, id?: string) =>
    post(daemon, `/v1/sessions/${session}/messages`, { id, text });
  await prompt("demo", "scenario:text");
  await prompt("busy", "scenario:hang");
  await eventually("the turn hangs", async () => (await statusOf("busy")) === "running");
  for (const id of ["edited", "removed", "moved", "kept"]) await prompt("busy", "scenario:text", id);
  await prompt("steered", "scenario:hang");
  await eventually("the turn hangs", async () => (await statusOf("steered")) === "running");
  await prompt("steered", "scenario:text", "sent");
  await prompt("serving", "scenario:server");
  await prompt("asking", "scenario:approve");
  await eventually("the ask", async () => (await statusOf("asking")) === "waiting");
  await eventually("the turn ends", async () => (await statusOf("demo")) === "idle");
  await eventually("the task", async () => {
    const listed = await call("tasks", ["serving", "--json"]);
    task = (JSON.parse(listed.stdout) as { task: string }[])[0]?.task ?? "";
    return task !== "";
  });
  const { stdout } = await call("asks", ["--json"]);
  ask = (JSON.parse(stdout) as { ask: string }[])[0]!.ask;
});

afterAll(async () => {
  await stop(daemon);
  rmSync(directory, { recursive: true });
});

async function statusOf(session: string): Promise<string> {
  const { stdout } = await call("sessions show", [session, "--json"]);
  return (JSON.parse(stdout) as { status: string }).status;
}

function lineOf(name: string, args: readonly string[]): string[] {
  const { options } = commands.find((command) => command.name === name)!;
  const data = "data" in options ? ["--data", directory] : [];
  return [
    ...name.split(" "),
    ...args.map((word) => (word === "ASK" ? ask : word === "TASK" ? task : word)),
    ...data,
  ];
}

/** In the directory of the sessions, as a person who wants no colours. */
function call(name: string, args: readonly string[]) {
  const { input } = SAMPLES[name]!;
  return run(lineOf(name, args), { cwd: directory, environment: { NO_COLOR: "1" }, input });
}

test("every command has a sample, and every sample is of a command", () => {
  expect(Object.keys(SAMPLES).toSorted()).toEqual(COMMANDS.map(({ name }) => name).toSorted());
});

describe.each(commands.map((command) => [command.name, command] as const))("%s", (name, { options }) => {
  test("has --json, or prints nothing that is for people alone", () => {
    const { prints } = SAMPLES[name]!;
    expect("json" in options || prints !== undefined).toBe(true);
  });

  test("uses a running daemon, unless it works on the data directory itself", () => {
    expect("url" in options).toBe(!SAMPLES[name]!.withoutUrl);
  });

  test("says in one line what a wrong flag is, with exit code 2", async () => {
    const { code, stdout, stderr } = await call(name, ["--no-such-flag"]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toBe(
      `interlingua: Unknown flag --no-such-flag. interlingua ${name} --help lists the flags.\n`,
    );
  });
});

describe("without a reader", () => {
  test.each(callable)("%s ends without a stack trace", async (name) => {
    const bin = resolve(import.meta.dirname, "../../bin/interlingua.js");
    // What changes something prints its help, so that it can be called below.
    const { args, onlyReads, prints } = SAMPLES[name]!;
    const line = lineOf(name, onlyReads || prints ? args : ["--help"]);
    const child = spawn(process.execPath, [bin, ...line], {
      cwd: directory,
      env: { PATH: process.env.PATH, HOME: "/nonexistent" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    child.stdout.destroy();
    let stderr = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    const [code] = (await once(child, "close")) as [number | null];
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringMatching(/EPIPE|^\s+at /m) });
  });
});

describe("with --json, or in its own form", () => {
  test.each(callable)("%s prints only data, and no colours", async (name) => {
    const { args, prints } = SAMPLES[name]!;
    const { options } = commands.find((command) => command.name === name)!;
    const { code, stdout, stderr } = await call(name, [...args, ...("json" in options ? ["--json"] : [])]);
    // What is wrong with this machine is for doctor to say.
    if (name !== "doctor") expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stdout + stderr).not.toContain("\u001b");
    if (prints === "text") return;
    const texts = prints === "JSON lines" ? stdout.trimEnd().split("\n") : [stdout];
    for (const text of texts) expect(JSON.parse(text)).toEqual(expect.anything());
  });
});

describe("without a daemon", () => {
  const readers = Object.keys(SAMPLES).filter((name) => SAMPLES[name]!.onlyReads);

  beforeAll(async () => {
    daemon.child.kill("SIGKILL");
    await daemon.ended;
  });

  afterAll(async () => {
    daemon = await serve(["--data", directory], { cwd: directory });
  });

  test.each(readers)("%s reads what the last one wrote", async (name) => {
    const { code, stdout } = await call(name, SAMPLES[name]!.args);
    expect(code).toBe(0);
    // The only ask was answered above.
    expect(stdout === "").toBe(name === "asks");
  });

  test.each(callable.filter((name) => "url" in commands.find((command) => command.name === name)!.options))(
    "%s says so where nobody answers at the address given",
    async (name) => {
      const { code, stdout, stderr } = await run([...name.split(" "), ...SAMPLES[name]!.args], {
        cwd: directory,
        environment: { INTERLINGUA_URL: "http://127.0.0.1:9", INTERLINGUA_TOKEN: "x" },
      });
      expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
      expect(stderr).toMatch(/^interlingua: No answer from http:\/\/127\.0\.0\.1:9[^\n]*\n$/);
    },
  );
});
