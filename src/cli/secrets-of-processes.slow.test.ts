/** What agents, which run as the same user, can read of a daemon's processes without effort. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { nodeOptions } from "../process/hand-over-secrets.ts";
import { Interlingua } from "../sdk/index.ts";
import { readDaemonInfo } from "../store/sqlite/data-directory-lock.ts";
import { eventually } from "../testkit/eventually.ts";
import { findOldNode, post, run, type Served, SURROUNDINGS, serve, start, stop } from "./test-support.ts";

const TOKEN = "the-token-of-the-daemon-0123456789";
const KEY = "sk-the-key-of-a-provider";
const SECRETS = { INTERLINGUA_TOKEN: TOKEN, OPENROUTER_API_KEY: KEY };

const isLinux = process.platform === "linux";
if (!isLinux) console.warn("Only Linux shows environments in /proc: what processes reveal is not tested.");

let directory: string;
let workspace: string;
const running: Served[] = [];

beforeEach(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), "interlingua-hidden-")));
  workspace = join(directory, "workspace");
  mkdirSync(workspace);
});

afterEach(async () => {
  await Promise.all(running.splice(0).map(stop));
  rmSync(directory, { recursive: true, force: true, maxRetries: 10 });
});

async function serveHere(
  environment: Record<string, string>,
  more: { node?: string; args?: readonly string[] } = {},
): Promise<Served> {
  const { node, args = [] } = more;
  const flags = ["--data", join(directory, "data"), "--root", workspace, ...args];
  const served = await serve(flags, { environment: { ...SECRETS, ...environment }, node });
  running.push(served);
  return served;
}

/** A process and all that it started, by their parents. */
function family(root: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "latin1");
      parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]));
    } catch {
      // It has ended.
    }
  }
  const found = [root];
  for (const pid of found) for (const [child, parent] of parents) if (parent === pid) found.push(child);
  return found;
}

/** Empty for a process that has ended. */
function shownBy(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1") + readFileSync(`/proc/${pid}/cmdline`, "latin1");
  } catch {
    return "";
  }
}

/** The first of them runs. */
function expectHidden(pids: readonly number[], secrets: readonly string[] = [TOKEN, KEY]): void {
  expect(shownBy(pids[0]!)).toContain("PATH=");
  for (const pid of pids)
    for (const secret of secrets) expect(shownBy(pid), `process ${pid}`).not.toContain(secret);
}

/** A program that is found first, and notes what it was started with before it becomes the real one. */
function spyOn(program: string): { path: string; seen(): string } {
  const bin = join(directory, "bin");
  const notes = join(directory, "notes");
  mkdirSync(bin);
  const real = execFileSync("/bin/sh", ["-c", `command -v ${program}`], { encoding: "utf8" }).trim();
  const script = `#!/bin/sh\n{ cat /proc/$$/environ; echo "$@"; } >> "${notes}"\nexec "${real}" "$@"\n`;
  writeFileSync(join(bin, program), script);
  chmodSync(join(bin, program), 0o755);
  const seen = () => (existsSync(notes) ? readFileSync(notes, "latin1") : "");
  return { path: `${bin}${delimiter}${SURROUNDINGS.PATH}`, seen };
}

/** A module to preload: this process cannot write to its memory. */
function withoutMemory(): string {
  const preload = [
    'import fs from "node:fs";',
    'import { syncBuiltinESMExports } from "node:module";',
    "const { openSync } = fs;",
    'fs.openSync = (path, ...more) => { if (path === "/proc/self/mem") throw new Error("no"); return openSync(path, ...more); };',
    "syncBuiltinESMExports();",
  ].join("\n");
  const file = join(directory, "preload.mjs");
  writeFileSync(file, preload);
  return file;
}

/** A shell that calls the real program as `Interlingua.start()` or a service would, and notes its environment before. */
function wrapper(notes: string): string {
  const bin = join(directory, "interlingua");
  const real = resolve(import.meta.dirname, "../../bin/interlingua.js");
  const note = `{ cat /proc/$$/environ; echo "$@"; } > "${notes}"`;
  writeFileSync(bin, `#!/bin/sh\n${note}\nexec "${process.execPath}" "${real}" "$@"\n`);
  chmodSync(bin, 0o755);
  return bin;
}

async function startTurn(served: Served, text: string): Promise<void> {
  const body = { id: "s", agent: "mock", cwd: workspace };
  await post(served, "/v1/sessions", body);
  await post(served, "/v1/sessions/s/messages", { text });
}

describe.skipIf(!isLinux)("a daemon that was given its token in the environment", () => {
  test("shows it to no agent: not by itself, its reaper, its agents or git", async () => {
    const git = spyOn("git");
    const served = await serveHere({ PATH: git.path, INTERLINGUA_CHECKPOINTS: "on" });
    expect(served.token).toBe(TOKEN);
    await startTurn(served, "scenario:hang");
    // The reaper has the marker among its arguments.
    const isAgent = (pid: number) => /\0INTERLINGUA_OWNER=(?!.*agent-reaper)/s.test(shownBy(pid));
    await eventually("an agent", () => family(served.child.pid!).some(isAgent));
    await eventually("git", () => git.seen().includes("--git-dir"));
    const processes = family(served.child.pid!);
    expectHidden(processes, [TOKEN]);
    // Only git has the keys: programs of the user that it runs may need them.
    const isGit = (pid: number) => shownBy(pid).includes("GIT_OPTIONAL_LOCKS=");
    expectHidden(processes.filter((pid) => !isGit(pid)));
    expect(git.seen()).not.toContain(TOKEN);
    expect(await stop(served)).toMatchObject({ code: 0, stdout: `${served.link}\n` });
  });

  test("still gives agents the keys they are to have", async () => {
    const served = await serveHere({ ANTHROPIC_API_KEY: KEY });
    const { variables } = JSON.parse(readFileSync(join(directory, "data/daemon.json"), "utf8"));
    expect(variables).toContain("ANTHROPIC_API_KEY");
    expectHidden([served.child.pid!]);
  });

  test("hides the secret of its cluster and the password of its database as well", async () => {
    const secrets = ["a-secret-of-all-nodes-0123456789abcdef", "the-password-of-the-database"];
    // A database that accepts connections and says nothing: the daemon waits for it.
    const database = createServer();
    const connected = new Promise<void>((done) => database.once("connection", () => done()));
    await new Promise<void>((done) => database.listen(0, "127.0.0.1", done));
    const { port } = database.address() as { port: number };
    const environment = {
      ...SECRETS,
      INTERLINGUA_CLUSTER_SECRET: secrets[0]!,
      INTERLINGUA_STORE: `postgres://ann:${secrets[1]}@127.0.0.1:${port}/none`,
    };
    const args = ["serve", "--port", "0", "--data", join(directory, "data"), "--root", directory];
    const starting = start(args, { environment });
    try {
      await connected;
      expectHidden(family(starting.child.pid!), [TOKEN, KEY, ...secrets]);
    } finally {
      starting.child.kill("SIGKILL");
      await starting.ended;
      database.close();
    }
  });

  test("hides it where its memory cannot be written, and leaves no file behind", async () => {
    const file = withoutMemory();
    const temporary = join(directory, "tmp");
    mkdirSync(temporary);
    const served = await serveHere({ NODE_OPTIONS: `--import=${file}`, TMPDIR: temporary });
    expect(served.token).toBe(TOKEN);
    expectHidden(family(served.child.pid!));
    expect(readdirSync(temporary).filter((name) => name.startsWith("interlingua-"))).toEqual([]);
    // The process is the one that was started, so that a service manager keeps it.
    expect(readDaemonInfo(join(directory, "data"))).toMatchObject({ pid: served.child.pid });
    expect(await stop(served)).toMatchObject({ code: 0, stdout: `${served.link}\n` });
  });

  test("says in one line what to do where its memory cannot be written and TMPDIR does not exist", async () => {
    const environment = {
      ...SECRETS,
      NODE_OPTIONS: `--import=${withoutMemory()}`,
      TMPDIR: "/nonexistent",
    };
    const { code, stdout, stderr } = await run(["serve", "--port", "0", "--data", ":memory:"], {
      environment,
    });
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toBe(
      "interlingua: the daemon restarts itself to hide its secrets, and cannot write them to a private file in /nonexistent (ENOENT). Set TMPDIR to a directory that you can write to.\n",
    );
  });

  test("hides every variable that is not known to be harmless, whatever its name", async () => {
    const secrets = {
      GITHUB_PAT: "value-of-the-pat",
      MY_PASS: "value-of-the-pass",
      DSN: "ann:value-of-the-dsn@tcp(127.0.0.1)/db",
      BASIC_AUTH: "value-of-the-auth",
      COOKIE: "value-of-the-cookie",
      PGSERVICE: "value-of-an-unknown-variable",
      INTERLINGUA_OTHER_AUTH: "value-with-our-prefix",
      XDG_COOKIE: "value-with-a-prefix-of-others",
    };
    const markers = { INTERLINGUA_OWNER: "outer/session@1.2#3", RUNNER_TRACKING_ID: "job-7" };
    const served = await serveHere({ ...secrets, ...markers });
    const pid = served.child.pid!;
    expectHidden([pid], Object.values(secrets));
    // Whoever started the daemon finds it by these.
    const shown = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
    for (const [name, value] of Object.entries(markers)) expect(shown).toContain(`${name}=${value}`);
  });

  test.each([
    ["UTF-8", "M\\303\\234_TOKEN"],
    ["Latin-1, which Node cannot read", "M\\334_TOKEN"],
  ])("hides a secret whose name is in %s", async (_encoding, name) => {
    const real = resolve(import.meta.dirname, "../../bin/interlingua.js");
    const args = [...nodeOptions({}), real, "serve", "--port", "0", "--data", ":memory:"];
    // A shell, since Node would write the name as UTF-8.
    const script = `exec env "$(printf '${name}=${KEY}')" "$@"`;
    const child = spawn("/bin/sh", ["-c", script, "sh", process.execPath, ...args], {
      env: SURROUNDINGS,
      stdio: ["ignore", "pipe", "inherit"],
    });
    try {
      await once(child.stdout!, "data");
      expectHidden([child.pid!]);
    } finally {
      child.kill("SIGKILL");
    }
  });

  const node = findOldNode();
  if (!node) console.warn("There is no Node below 24 on PATH: its launcher is not tested for secrets.");

  test.skipIf(!node)("under an old Node hides it in the launcher, too", async () => {
    const served = await serveHere({}, { node });
    expect(served.token).toBe(TOKEN);
    const processes = family(served.child.pid!);
    expect(processes).toContain(readDaemonInfo(join(directory, "data"))!.pid);
    expect(processes.length).toBeGreaterThan(1);
    expectHidden(processes);
    expect(await stop(served)).toMatchObject({ code: 0, stdout: `${served.link}\n` });
  });
});

test.skipIf(!isLinux)(
  "a command that starts a daemon in the background gives it the token by a pipe",
  async () => {
    const data = join(directory, "data");
    const args = ["run", "scenario:text", "--agent", "mock", "--data", data];
    expect(await run(args, { cwd: workspace, environment: SECRETS })).toMatchObject({ code: 0 });
    const { pid, url } = readDaemonInfo(data)!;
    try {
      expectHidden(family(pid));
      const headers = { authorization: `Bearer ${TOKEN}` };
      expect((await fetch(`${url}/v1/sessions`, { headers })).status).toBe(200);
    } finally {
      process.kill(pid, "SIGTERM");
      await eventually("its end", () => !existsSync(`/proc/${pid}`));
    }
  },
);

test.skipIf(!isLinux)(
  "Interlingua.start gives a daemon its token by a pipe, never by environment or argv",
  async () => {
    const notes = join(directory, "notes");
    const bin = wrapper(notes);
    const data = join(directory, "data");
    await using client = await Interlingua.start({ data, root: workspace, spawn: { bin, token: TOKEN } });
    expect((await client.agents.list()).map(({ name }) => name)).toContain("mock");
    expect(readFileSync(notes, "latin1")).not.toContain(TOKEN);
    expectHidden(family(readDaemonInfo(data)!.pid));
  },
);

describe.skipIf(!isLinux)("without a directory for temporary files", () => {
  const { TMPDIR } = process.env;
  beforeEach(() => {
    process.env.TMPDIR = "/nonexistent";
  });
  afterEach(() => {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  });

  test("Interlingua.start starts a daemon, which does not replace itself", async () => {
    const data = join(directory, "data");
    await using client = await Interlingua.start({ data, root: workspace, spawn: { token: TOKEN } });
    expect((await client.agents.list()).map(({ name }) => name)).toContain("mock");
    const { pid } = readDaemonInfo(data)!;
    expectHidden(family(pid), [TOKEN]);
    expect(readFileSync(`/proc/${pid}/cmdline`, "utf8")).toContain("--disable-sigusr1");
    // Only the initial environment of a daemon that did not replace itself still names the pipe.
    expect(shownBy(pid)).toContain("INTERLINGUA_SECRETS_FROM=3\0");
  });

  test("Interlingua.start starts a daemon by another program, which replaces itself", async () => {
    const data = join(directory, "data");
    const bin = wrapper(join(directory, "notes"));
    await using client = await Interlingua.start({ data, root: workspace, spawn: { bin, token: TOKEN } });
    expect((await client.agents.list()).map(({ name }) => name)).toContain("mock");
    expectHidden(family(readDaemonInfo(data)!.pid), [TOKEN]);
  });

  test("a command starts a daemon in the background", async () => {
    const data = join(directory, "data");
    const args = ["run", "scenario:text", "--agent", "mock", "--data", data];
    const environment = { ...SECRETS, TMPDIR: "/nonexistent" };
    expect(await run(args, { cwd: workspace, environment })).toMatchObject({ code: 0 });
    const { pid } = readDaemonInfo(data)!;
    try {
      expectHidden(family(pid));
      expect(shownBy(pid)).toContain("INTERLINGUA_SECRETS_FROM=3\0");
    } finally {
      process.kill(pid, "SIGTERM");
      await eventually("its end", () => !existsSync(`/proc/${pid}`));
    }
  });
});

test.each([
  ["77", "EBADF"],
  ["/nonexistent/secrets", "ENOENT"],
  [import.meta.filename, "no JSON object"],
])("secrets that cannot be read from %s are one line and exit code 2", async (source, reason) => {
  const environment = { INTERLINGUA_SECRETS_FROM: source };
  const { code, stdout, stderr } = await run(["serve", "--data", ":memory:"], { environment });
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toBe(
    `interlingua: INTERLINGUA_SECRETS_FROM: "${source}" cannot be read (${reason}). Only programs that start Interlingua set it: leave it out.\n`,
  );
  if (source === import.meta.filename) expect(existsSync(source)).toBe(true);
});
