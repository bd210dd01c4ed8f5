/** Where clients of AgentSmithy find their server. */
import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { StatusFile } from "./status-file.ts";

let workspace: string;
let file: string;
/** Pids that are in use. */
let running: Set<number>;
let problems: unknown[];

beforeEach(() => {
  workspace = realpathSync(mkdtempSync(join(tmpdir(), "interlingua-status-")));
  file = join(workspace, ".agentsmithy/status.json");
  running = new Set();
  problems = [];
});

afterEach(() => rmSync(workspace, { recursive: true, force: true }));

function open(port = 0): StatusFile {
  return new StatusFile({
    workspace,
    port,
    isRunningSince: (pid) => running.has(pid),
    onError: (error) => problems.push(error),
  });
}

function read(): Record<string, unknown> {
  return JSON.parse(readFileSync(file, "utf8"));
}

/** As the server of AgentSmithy writes it. */
function writeOther(status: object): void {
  mkdirSync(join(workspace, ".agentsmithy"), { recursive: true });
  writeFileSync(file, JSON.stringify(status));
}

test("goes from starting to ready to stopping to stopped", () => {
  const status = open();
  status.starting();
  expect(read()).toEqual({
    server_status: "starting",
    server_pid: process.pid,
    port: null,
    server_started_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    server_updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    server_error: null,
    config_valid: true,
    config_errors: [],
  });
  const { server_started_at } = read();
  status.ready(8765);
  const ready = { server_status: "ready", server_pid: process.pid, port: 8765, server_started_at };
  expect(read()).toMatchObject(ready);
  status.stopping();
  expect(read()).toMatchObject({ ...ready, server_status: "stopping" });
  status.stopped();
  expect(read()).toMatchObject({ server_status: "stopped", server_error: null });
  // Our process may go on, and clients would take it for their server.
  expect(Object.keys(read())).not.toContain("server_pid");
  expect(readdirSync(join(workspace, ".agentsmithy")).sort()).toEqual([".gitignore", "status.json"]);
});

test("a port that cannot be opened is told with its reason", () => {
  const status = open(8765);
  status.starting();
  expect(read().port).toBe(8765);
  status.failed(new Error("Port 8765 is in use."));
  expect(read()).toMatchObject({ server_status: "error", server_error: "Port 8765 is in use." });
  expect(Object.keys(read())).not.toContain("server_pid");
});

test("does not show up in the person's repository", () => {
  execFileSync("git", ["init", "-q"], { cwd: workspace });
  open().starting();
  expect(execFileSync("git", ["status", "--porcelain"], { cwd: workspace, encoding: "utf8" })).toBe("");
});

test("a directory that is there already stays as it is", () => {
  mkdirSync(join(workspace, ".agentsmithy"));
  writeFileSync(join(workspace, ".agentsmithy/config.json"), "{}");
  open().starting();
  expect(readdirSync(join(workspace, ".agentsmithy")).sort()).toEqual(["config.json", "status.json"]);
});

test.each(["starting", "ready", "stopping"])(
  "another living server that is %s is left alone",
  (server_status) => {
    const other = { server_status, server_pid: 4711, port: 8765 };
    writeOther(other);
    running.add(4711);
    expect(() => open().starting()).toThrow(
      /^Another AgentSmithy server \(pid 4711, port 8765\) already serves .*--agentsmithy-workspace\.$/,
    );
    expect(read()).toEqual(other);
  },
);

test.each([
  { server_status: "ready", server_pid: 4712, port: 8765 },
  { server_status: "stopped", server_pid: 4711 },
  { server_status: "crashed", server_pid: 4711, server_error: "x" },
  { server_status: "ready", server_pid: process.pid, port: 1 },
  { server_status: "ready", server_pid: "4711" },
  { server_status: "ready", server_pid: -4711 },
  {},
  [],
])("what is left of %j is replaced", (left) => {
  running.add(4711).add(process.pid);
  writeOther(left);
  open(1234).starting();
  expect(read()).toMatchObject({ server_status: "starting", server_pid: process.pid, port: 1234 });
});

test.each(["", "{", "null", "\0".repeat(10)])("so is %j", (content) => {
  mkdirSync(join(workspace, ".agentsmithy"));
  writeFileSync(file, content);
  open().starting();
  expect(read().server_status).toBe("starting");
});

test("of two that start at once one stays", () => {
  const first = open();
  first.starting();
  writeOther({ server_status: "starting", server_pid: 4711 });
  running.add(4711);
  expect(() => first.ready(8765)).toThrow(/^Another AgentSmithy server \(pid 4711\)/);
  first.failed(new Error("taken"));
  expect(read().server_pid).toBe(4711);
});

test("the file of a server that came later is left alone when this one stops", () => {
  const first = open();
  first.starting();
  first.ready(1);
  const second = open();
  // A later start of the same process has another time.
  writeOther({ ...read(), server_started_at: "2001-01-01T00:00:00.000Z", port: 2 });
  first.stopping();
  first.stopped();
  expect(read()).toMatchObject({ server_status: "ready", port: 2 });
  second.stopped();
  expect(read()).toMatchObject({ server_status: "ready", port: 2 });
});

test("a file or directory that is gone is not made again when the server stops", () => {
  const status = open();
  status.starting();
  status.ready(1);
  rmSync(join(workspace, ".agentsmithy"), { recursive: true });
  status.stopping();
  status.stopped();
  expect(readdirSync(workspace)).toEqual([]);
  expect(problems).toEqual([]);
});

test.each(["outside", "nowhere"])("a link to %s in the place of the directory is not followed", (target) => {
  const outside = mkdtempSync(join(tmpdir(), "interlingua-outside-"));
  try {
    symlinkSync(target === "outside" ? outside : join(outside, "nowhere"), join(workspace, ".agentsmithy"));
    expect(() => open().starting()).toThrow(
      /^--agentsmithy-workspace: .* cannot be used\. .*link.*not followed/,
    );
    expect(readdirSync(outside)).toEqual([]);
  } finally {
    rmSync(outside, { recursive: true });
  }
});

test("a directory that becomes a link while the server runs is not followed", () => {
  const outside = mkdtempSync(join(tmpdir(), "interlingua-outside-"));
  try {
    const status = open();
    status.starting();
    status.ready(1);
    writeFileSync(join(outside, "status.json"), JSON.stringify(read()));
    rmSync(join(workspace, ".agentsmithy"), { recursive: true });
    symlinkSync(outside, join(workspace, ".agentsmithy"));
    status.stopping();
    status.stopped();
    expect(JSON.parse(readFileSync(join(outside, "status.json"), "utf8")).server_status).toBe("ready");
  } finally {
    rmSync(outside, { recursive: true });
  }
});

test("a link in the place of the file is replaced, and its target stays", () => {
  mkdirSync(join(workspace, ".agentsmithy"));
  const target = join(workspace, "precious");
  writeFileSync(target, "precious");
  symlinkSync(target, file);
  open().starting();
  expect(read().server_status).toBe("starting");
  expect(readFileSync(target, "utf8")).toBe("precious");
});

test("a file in the place of the directory is refused with a remedy", () => {
  writeFileSync(join(workspace, ".agentsmithy"), "");
  expect(() => open().starting()).toThrow(/Move it away, or give another directory/);
});
