/** Sessions of a real daemon in hostile repositories: each prompt ends, and nothing is lost, leaked or left behind. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isInside } from "../../src/core/is-inside.ts";
import { until } from "../../src/testkit/until.ts";
import { DaemonProcess } from "../crash/daemon-process.ts";
import { dataLines } from "../daemon-client.ts";
import { HostileRepositories, KINDS, PLACES, SECRET } from "./hostile-repositories.ts";

/** A daemon that runs from its sources, with some sessions, takes about 250 MB. */
const MAX_DAEMON_MB = 600;

interface Event {
  readonly type: string;
  readonly text?: string;
  readonly outcome?: string;
}

const sessions: string[] = [];
let base: string;
let data: string;
let daemon: DaemonProcess;
let repositories: HostileRepositories;

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), "ih-"));
  data = join(base, "data");
  mkdirSync(data);
  mkdirSync(join(base, "work"));
  repositories = new HostileRepositories(join(base, "work"));
  daemon = await startDaemon(data);
});

afterAll(async () => {
  await daemon.kill();
  repositories[Symbol.dispose]();
  await rm(base, { recursive: true, force: true });
});

function startDaemon(directory: string): Promise<DaemonProcess> {
  const environment = { INTERLINGUA_CHECKPOINTS: "on", HOME: base, XDG_CONFIG_HOME: "" };
  return DaemonProcess.start(directory, { root: base, environment });
}

/** Prompts in a new session, and gives what the log says when its turn has ended. */
async function prompt(cwd: string): Promise<Event[]> {
  const { id } = await daemon.call<{ id: string }>("POST", "/v1/sessions", { agent: "mock", cwd });
  sessions.push(id);
  return promptAgain(id, 0);
}

async function promptAgain(id: string, from?: number): Promise<Event[]> {
  const after = from ?? (await daemon.call<{ head: number }>("GET", `/v1/sessions/${id}`)).head;
  await daemon.prompt(id, "scenario:text hello");
  const events: Event[] = [];
  const reading = new AbortController();
  const path = `/v1/sessions/${id}/events/sse?after=${after}`;
  const response = await daemon.request("GET", path, undefined, reading.signal);
  for await (const line of dataLines(response)) {
    events.push(JSON.parse(line) as Event);
    if (events.at(-1)?.type === "turn.ended") break;
  }
  reading.abort();
  return events;
}

/** Those that work in a directory or below it. */
function gitProcesses(directory = base): string[] {
  return readdirSync("/proc").filter((pid) => {
    try {
      const isGit = readFileSync(`/proc/${pid}/comm`, "utf8").startsWith("git");
      return isGit && isInside(readlinkSync(`/proc/${pid}/cwd`), directory);
    } catch {
      return false;
    }
  });
}

function peakMegabytes(): number {
  const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${daemon.pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) / 1024;
}

/** Everything in the data directory, with what git has compressed. */
function isInData(text: string): boolean {
  const workspaces = join(data, "workspaces");
  const stores = readdirSync(workspaces).map((name) => join(workspaces, name));
  const objects = stores.map((store) =>
    execFileSync("git", ["--git-dir", store, "cat-file", "--batch-all-objects", "--batch"], {
      maxBuffer: 2 ** 28,
    }),
  );
  const found = execFileSync("sh", ["-c", `grep -rl -e "$1" "$2" || true`, "sh", text, data]).toString();
  return found !== "" || objects.some((output) => output.includes(text));
}

describe.runIf(process.platform === "linux")("a hostile repository", () => {
  it.each(PLACES)(
    "with a trap at %s breaks no prompt, leaks nothing and leaves no git behind",
    async (place) => {
      for (const kind of KINDS) {
        const directory = await repositories.make(place, kind);
        const events = await prompt(directory);
        expect(events.find(({ type }) => type === "turn.ended")?.outcome, kind).toBe("completed");
      }
      await until(() => gitProcesses().length === 0);
      expect(isInData(SECRET)).toBe(false);
      expect(peakMegabytes()).toBeLessThan(MAX_DAEMON_MB);
      const clean = await prompt(repositories.clean());
      expect(clean.map(({ type }) => type)).toContain("checkpoint.created");
      for (const id of sessions.splice(0)) await daemon.request("DELETE", `/v1/sessions/${id}`);
    },
  );

  it("cloned with ten nested .gitignore links to /dev/zero ends no daemon", async () => {
    const events = await prompt(repositories.cloneWithNestedLinks());
    expect(events.map(({ type }) => type)).toContain("checkpoint.created");
    const said = events.filter(({ text }) => text?.endsWith("is a link, which is not followed."));
    expect(said).toHaveLength(10);
    expect(peakMegabytes()).toBeLessThan(MAX_DAEMON_MB);
  });

  it("with pipes as core.excludesFile in four sessions stops no other session", async () => {
    const directories = [1, 2, 3, 4].map(() =>
      repositories.make("core.excludesFile => a/excludes", "a pipe"),
    );
    // At the top level no git looks at the pipe before we do.
    const tops = (await Promise.all(directories)).map((directory) => resolve(directory, "../.."));
    await Promise.all(tops.map(prompt));
    const clean = await prompt(repositories.clean());
    expect(clean.map(({ type }) => type)).toContain("checkpoint.created");
  });

  it("that keeps git waiting has checkpoints again once the file is gone", async () => {
    const directory = await repositories.make("a/b/c/.gitignore", "a pipe");
    const first = await prompt(directory);
    const reason = `${join(directory, "c/.gitignore")} is a named pipe or a device`;
    expect(first.some(({ text }) => text?.includes(reason))).toBe(true);
    const id = sessions.at(-1)!;
    // Git is not asked again while the pipe is there.
    await promptAgain(id);
    expect(gitProcesses()).toEqual([]);
    rmSync(join(directory, "c/.gitignore"));
    expect((await promptAgain(id)).map(({ type }) => type)).toContain("checkpoint.created");
  });

  it("leaves no git behind when the daemon is killed while git waits for a pipe", async () => {
    const killed = join(base, "killed");
    mkdirSync(killed);
    const other = await startDaemon(killed);
    const cwd = await repositories.make("a/b/c/.gitignore", "a pipe");
    const repository = resolve(cwd, "../..");
    await other.call("POST", "/v1/sessions", { agent: "mock", cwd });
    // Git that has an answer is gone by the next looks.
    const looks = new Map<string, number>();
    await until(() => {
      for (const pid of gitProcesses(repository)) looks.set(pid, (looks.get(pid) ?? 0) + 1);
      return [...looks.values()].some((count) => count > 20);
    });
    await other.kill("SIGKILL");
    await until(() => gitProcesses(repository).length === 0);
  });
});
