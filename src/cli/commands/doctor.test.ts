import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { keepDaemonId } from "../../config/daemon-id.ts";
import { OWNER_VARIABLE, ownerMarker } from "../../process/owner-marker.ts";
import type { Finding } from "../doctor/finding.ts";
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

test("what agents said and nobody uses is listed", async () => {
  const daemon = await serve(["--data", directory]);
  await post(daemon, "/v1/sessions", { id: "s", agent: "mock", options: { pace: 0 } });
  const turn = await post(daemon, "/v1/sessions/s/messages/stream", { text: "scenario:garbage" });
  await turn.text();
  const { findings } = await examine();
  expect(findings["unused mock"]).toEqual({
    about: "unused mock",
    state: "ok",
    detail: expect.stringMatching(/^not-json \(\d\), .*\(1\), and \d+ more$/),
  });
  await stop(daemon);
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
