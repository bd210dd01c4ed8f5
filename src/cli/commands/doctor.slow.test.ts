import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { keepDaemonId } from "../../config/daemon-id.ts";
import { OWNER_VARIABLE, ownerMarker } from "../../process/owner-marker.ts";
import type { Finding } from "../doctor/finding.ts";
import { CTRL_D, startAtTerminal } from "../terminal-test-support.ts";
import { post, run, serve, stop } from "../test-support.ts";

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "interlingua-doctor-"));
});

afterEach(() => rmSync(directory, { recursive: true }));

async function examine(
  ...args: string[]
): Promise<{ code: number | null; findings: Record<string, Finding> }> {
  const { code, stdout, stderr } = await run(["doctor", "--json", "--data", directory, ...args]);
  expect(stderr).toBe("");
  const findings = JSON.parse(stdout) as Finding[];
  return { code, findings: Object.fromEntries(findings.map((finding) => [finding.about, finding])) };
}

test("all is well on a machine where nothing ran yet", async () => {
  const { code, findings } = await examine();
  expect(code).toBe(0);
  for (const about of [
    "node",
    "settings",
    "data",
    "space",
    "database",
    "daemon",
    "processes",
    "agent mock",
  ]) {
    expect(findings[about]?.state).not.toBe("problem");
  }
});

test("for people it is a table", async () => {
  const { code, stdout } = await run(["doctor", "--data", directory]);
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^ABOUT +STATE +DETAIL\nnode +ok +v\d+/),
  });
});

test("a running daemon is named", async () => {
  const daemon = await serve(["--data", directory]);
  const { code, findings } = await examine();
  expect(code).toBe(0);
  expect(findings.daemon).toMatchObject({
    state: "ok",
    detail: `process ${daemon.child.pid} at ${daemon.url}`,
  });
  expect(findings["unused mock"]).toBeUndefined();
  await stop(daemon);
});

test("what agents said and nobody uses is listed with --drift, and only then", async () => {
  const daemon = await serve(["--data", directory]);
  await post(daemon, "/v1/sessions", { id: "s", agent: "mock", options: { pace: 0 } });
  const turn = await post(daemon, "/v1/sessions/s/messages/stream", { text: "scenario:garbage" });
  await turn.text();
  expect((await examine()).findings["unused mock"]).toBeUndefined();
  const { findings } = await examine("--drift");
  expect(findings["unused mock"]).toEqual({
    about: "unused mock",
    state: "ok",
    detail: expect.stringMatching(/^not-json \(\d\), .*\(1\), and \d+ more$/),
  });
  await stop(daemon);
});

describe("what this shell has and the running daemon has not", () => {
  let programs: string;

  beforeEach(() => {
    programs = join(directory, "programs");
    mkdirSync(programs);
    writeFileSync(join(programs, "claude"), "#!/bin/sh\necho '2.1.325 (Claude Code)'\n", { mode: 0o755 });
  });

  const WITHOUT_PROGRAMS = { PATH: "/nonexistent" };
  const here = () => ({ PATH: programs, ANTHROPIC_API_KEY: "sk-here" });
  const LACKS =
    /^The running daemon \(pid \d+\) was started without ANTHROPIC_API_KEY and with a PATH that does not lead to .*\/programs\/claude, unlike this shell\. .*interlingua stop/;

  test("is named by doctor, once for all agents, with the remedy", async () => {
    const daemon = await serve(["--data", directory], { environment: WITHOUT_PROGRAMS });
    const { stdout } = await run(["doctor", "--json", "--data", directory], { environment: here() });
    const findings = JSON.parse(stdout) as Finding[];
    expect(findings.filter(({ state }) => state !== "ok")).toEqual([
      { about: "environment", state: "warning", detail: expect.stringMatching(LACKS) },
    ]);
    await stop(daemon);
  });

  test("is no finding where the daemon has it too, and no value is kept in its file", async () => {
    const daemon = await serve(["--data", directory], { environment: here() });
    const { stdout } = await run(["doctor", "--json", "--data", directory], { environment: here() });
    const abouts = (JSON.parse(stdout) as Finding[]).map(({ about }) => about);
    expect(abouts).not.toContain("environment");
    expect(abouts).toContain("agent claude");
    const file = readFileSync(join(directory, "daemon.json"), "utf8");
    expect(file).toContain("ANTHROPIC_API_KEY");
    expect(file).not.toContain("sk-here");
    await stop(daemon);
  });

  test("is named by agents, and by run when the turn fails", async () => {
    const daemon = await serve(["--data", directory], { environment: WITHOUT_PROGRAMS, cwd: directory });
    const surroundings = { environment: here(), cwd: directory };
    const listed = await run(["agents", "--data", directory], surroundings);
    expect(listed.stderr).toMatch(new RegExp(LACKS.source.replace("^", "interlingua: ")));
    const ran = await run(["run", "hello", "--agent", "claude", "--data", directory], surroundings);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toMatch(new RegExp(LACKS.source.replace("^", "interlingua: ")));
    await stop(daemon);
  });

  test.each([
    ["model", {}, "BOX_KEY"],
    // It can be used with another provider.
    ["model", { ANTHROPIC_API_KEY: "sk-there" }, "BOX_KEY"],
    ["openai", {}, undefined],
  ])("is the key of a provider of %s, with %j there", async (agent, there, expected) => {
    const box = { url: "http://127.0.0.1:9", keyEnv: "BOX_KEY", models: ["small"] };
    writeFileSync(join(directory, "config.json"), JSON.stringify({ providers: { box } }));
    const environment = { ...WITHOUT_PROGRAMS, ...there };
    const daemon = await serve(["--data", directory], { environment, cwd: directory });
    const model = agent === "model" ? ["--model", "box/small"] : [];
    const ran = await run(["run", "hello", "--agent", agent, ...model, "--data", directory], {
      environment: { ...environment, BOX_KEY: "box-secret" },
      cwd: directory,
    });
    expect(ran.code).toBe(1);
    expect(ran.stderr).toMatch(/needs a key, and none is set\. Set (BOX_KEY|OPENAI_API_KEY) in/);
    expect(/was started without (.*), unlike this shell/.exec(ran.stderr)?.[1]).toBe(expected);
    await stop(daemon);
  });

  test("is named by chat when the first turn fails", async () => {
    const daemon = await serve(["--data", directory], { environment: WITHOUT_PROGRAMS, cwd: directory });
    const environment = { ...here(), PATH: `${programs}:${process.env.PATH}` };
    const terminal = startAtTerminal(["chat", "--agent", "claude", "--data", directory], {
      cwd: directory,
      columns: 1000,
      environment,
    });
    await terminal.sees("› ");
    for (const prompt of ["hello", "again"]) {
      terminal.type(`${prompt}\r`);
      await terminal.sees("interlingua agents install claude");
      if (prompt === "hello") await terminal.sees("unlike this shell");
    }
    terminal.type(CTRL_D);
    expect((await terminal.ended).code).toBe(0);
    expect(terminal.shown().match(/unlike this shell/g)).toHaveLength(1);
    await stop(daemon);
  });
});

test("a running daemon is judged by its own roots, not by where doctor is called", async () => {
  const root = join(directory, "root");
  mkdirSync(root);
  const daemon = await serve(["--data", directory, "--root", root]);
  const there = await run(["doctor", "--json", "--data", directory], { cwd: directory });
  const findings = JSON.parse(there.stdout) as Finding[];
  expect(findings.find(({ about }) => about === "roots")).toEqual({
    about: "roots",
    state: "warning",
    detail: expect.stringMatching(
      `work in ${root}, which is not here: .*interlingua stop.*--root ${directory}`,
    ),
  });
  await stop(daemon);
});

test("of an agent that cannot tell whether it is signed in, doctor says so as agents does", async () => {
  const programs = join(directory, "programs");
  mkdirSync(programs);
  writeFileSync(join(programs, "opencode"), "#!/bin/sh\necho 1.18.33\n", { mode: 0o755 });
  const environment = { PATH: programs };
  const { stdout } = await run(["doctor", "--json", "--data", directory], { environment });
  expect((JSON.parse(stdout) as Finding[]).find(({ about }) => about === "agent opencode")).toEqual({
    about: "agent opencode",
    state: "ok",
    detail: "1.18.33, signed in: unknown until it runs",
  });
  const listed = await run(["agents", "--data", directory], { environment });
  expect(listed.stdout).toMatch(/^opencode +yes +1\.18\.33 +unknown$/m);
});

test("agents that are not installed are named in one line", async () => {
  const { findings } = await examine();
  expect(findings["not installed"]).toMatchObject({
    state: "ok",
    detail: expect.stringMatching(/gemini.*interlingua agents install NAME`\.$/),
  });
  expect(findings["agent gemini"]).toBeUndefined();
});

test("an agent that only the config knows is looked at like the others", async () => {
  const config = join(directory, "config.json");
  writeFileSync(config, JSON.stringify({ agents: { mine: { protocol: "acp", command: "/nowhere/mine" } } }));
  const { code, findings } = await examine("--config", config);
  expect({ code, settings: findings.agents }).toEqual({ code: 0, settings: undefined });
  expect(findings["agent mine"]).toMatchObject({
    state: "warning",
    detail: expect.stringContaining("agents.mine.command"),
  });
});

test("an agent that is too old is not ok, although it is installed", async () => {
  const program = join(directory, "claude");
  writeFileSync(program, "#!/bin/sh\necho '2.0.1 (Claude Code)'\n", { mode: 0o755 });
  const config = join(directory, "config.json");
  writeFileSync(config, JSON.stringify({ agents: { claude: { command: program } } }));
  const { findings } = await examine("--config", config);
  expect(findings["agent claude"]).toMatchObject({
    state: "warning",
    detail: expect.stringMatching(/2\.0\.1 .*too old.*interlingua agents install claude/),
  });
});

describe("exit code 1 for", () => {
  test("a root that is none", async () => {
    const { code, findings } = await examine("--root", "/nowhere");
    expect(code).toBe(1);
    expect(findings.settings).toMatchObject({
      state: "problem",
      detail: expect.stringContaining("/nowhere"),
    });
  });

  test("a data directory that is a file", async () => {
    const file = join(directory, "file");
    writeFileSync(file, "");
    const { code, findings } = await examine("--data", file);
    expect(code).toBe(1);
    expect(findings.data).toMatchObject({
      state: "problem",
      detail: expect.stringContaining("not a directory"),
    });
  });

  test("a default agent that there is none of", async () => {
    const { code, findings } = await examine("--agent", "nobody");
    expect(code).toBe(1);
    expect(findings.agents?.state).toBe("problem");
  });

  test("processes that a dead daemon left", async () => {
    const marker = ownerMarker(`${keepDaemonId(directory)}/s1`, { pid: 1, startTime: "earlier" }, 1);
    const orphan = spawn("/bin/sleep", ["600"], { env: { [OWNER_VARIABLE]: marker }, stdio: "ignore" });
    await once(orphan, "spawn");
    const { code, findings } = await examine();
    orphan.kill("SIGKILL");
    expect(code).toBe(1);
    expect(findings.processes).toMatchObject({
      state: "problem",
      detail: expect.stringContaining(String(orphan.pid)),
    });
  });
});

test("a data directory others can look into is a warning", async () => {
  const open = join(directory, "open");
  mkdirSync(open);
  chmodSync(open, 0o755);
  const { code, findings } = await examine("--data", open);
  expect({ code, state: findings.data?.state }).toEqual({ code: 0, state: "warning" });
});
