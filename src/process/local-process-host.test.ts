import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eventually } from "../testkit/eventually.ts";
import { endMarkedProcesses } from "./end-marked-processes.ts";
import { createProcessHost } from "./local-process-host.ts";
import { belongsToDaemon, ownerMarker } from "./owner-marker.ts";
import type { ProcessHost } from "./process-host.ts";
import { ownIdentity, processTable } from "./process-table.ts";
import { announcedPids, isAlive, markedBy, node, readAll, shell, startDetached } from "./test-support.ts";

const STUBBORN = "trap '' TERM; echo pid $$; while :; do sleep 1; done";
/** Keeps a `node` agent alive until its input ends; then it goes, and nothing leads to its children any more. */
const SERVE = 'process.stdin.resume().on("end", () => process.exit());';

let daemonId: string;
let host: ProcessHost;

beforeEach(() => {
  daemonId = `test-${randomUUID()}`;
  host = createProcessHost({
    daemonId,
    environment: { ...process.env, INTERLINGUA_TOKEN: "secret" },
    pass: ["*"],
  });
});

afterEach(async () => {
  await host.close();
  await endMarkedProcesses({ owner: (owner) => belongsToDaemon(owner, daemonId), graceMs: 0 });
});

describe.skipIf(process.platform !== "linux")("processes that are frozen", () => {
  const stateOf = (pid: number) => /\) (\w) /.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1];
  /** It has a tool in a session of its own. */
  const WITH_TOOL = "setsid sh -c 'echo pid $$; exec sleep 1000' & echo pid $$; wait";

  it("stop where they are, with what has left their group, and go on", async () => {
    const agent = await host.spawn({ ...shell(WITH_TOOL), sessionId: "s" });
    const pids = await announcedPids(agent, 2);
    host.freeze();
    await eventually("all are stopped", () => pids.every((pid) => stateOf(pid) === "T"));
    const later = await host.spawn({ ...shell("exec sleep 1000"), sessionId: "t" });
    await eventually("so is a new one", () => stateOf(later.pid) === "T");
    host.thaw();
    await eventually("all go on", () => [...pids, later.pid].every((pid) => stateOf(pid) !== "T"));
  });

  it("can be ended as they are, and others are started", async () => {
    const agent = await host.spawn({ ...shell(WITH_TOOL), sessionId: "s" });
    const pids = await announcedPids(agent, 2);
    host.freeze();
    await host.endAll();
    expect(pids.filter(isAlive)).toEqual([]);
    host.thaw();
    const next = await host.spawn({ ...shell("cat"), sessionId: "s" });
    expect(stateOf(next.pid)).not.toBe("T");
  });
});

describe("nothing is left after the end of", () => {
  it("an agent that leaves when its input ends", async () => {
    const agent = await host.spawn({ ...shell("cat"), sessionId: "s" });
    await agent.end({ graceMs: 20_000 });
    expect(await agent.exited).toEqual({ code: 0, signal: null });
    expect(isAlive(agent.pid)).toBe(false);
    expect(await markedBy(daemonId)).toEqual([]);
  });

  it("an agent that takes SIGTERM", async () => {
    const agent = await host.spawn(shell("exec sleep 1000"));
    await agent.end({ graceMs: 100 });
    expect(await agent.exited).toEqual({ code: null, signal: "SIGTERM" });
  });

  it("an agent that ignores SIGTERM", async () => {
    const agent = await host.spawn(shell(STUBBORN));
    await announcedPids(agent, 1);
    await agent.end({ graceMs: 100 });
    expect(await agent.exited).toEqual({ code: null, signal: "SIGKILL" });
    expect(await markedBy(daemonId)).toEqual([]);
  });

  it("an agent with a grandchild that ignores SIGTERM", async () => {
    const agent = await host.spawn(shell(`/bin/sh -c "${STUBBORN.replaceAll("$", "\\$")}" & cat`));
    const [grandchild] = await announcedPids(agent, 1);
    await agent.end({ graceMs: 100 });
    expect(isAlive(grandchild!)).toBe(false);
    expect(await markedBy(daemonId)).toEqual([]);
  });

  it("an agent with grandchildren in sessions of their own", async () => {
    const agent = await host.spawn(node(SERVE + startDetached() + startDetached({ ignoresTerm: true })));
    const pids = await announcedPids(agent, 2);
    expect(pids.map(isAlive)).toEqual([true, true]);
    await agent.end({ graceMs: 100 });
    expect(pids.map(isAlive)).toEqual([false, false]);
    expect(await markedBy(daemonId)).toEqual([]);
  });

  it("an agent with a grandchild in its own session that cleared its environment", async () => {
    const agent = await host.spawn(node(SERVE + startDetached({ ignoresTerm: true, environment: "{}" })));
    const [grandchild] = await announcedPids(agent, 1);
    await agent.end({ graceMs: 100 });
    expect(isAlive(grandchild!)).toBe(false);
  });

  it("an agent that has gone already and left a process behind", async () => {
    const agent = await host.spawn(node(startDetached({ thenExit: true })));
    const [grandchild] = await announcedPids(agent, 1);
    await agent.exited;
    expect(isAlive(grandchild!)).toBe(true);
    await agent.end({ graceMs: 100 });
    expect(isAlive(grandchild!)).toBe(false);
  });

  it("an agent whose output nobody reads", async () => {
    const agent = await host.spawn(shell("yes"));
    await agent.end({ graceMs: 100 });
    expect(await markedBy(daemonId)).toEqual([]);
    expect(await readAll(agent)).toEqual([]);
  });
});

describe("end", () => {
  it("is the same end for everybody who asks", async () => {
    const agent = await host.spawn(shell("cat"));
    await Promise.all([agent.end(), agent.end({ graceMs: 0 })]);
    await agent.end();
    expect(isAlive(agent.pid)).toBe(false);
  });

  it("ends `lines`", async () => {
    const agent = await host.spawn(shell("echo hello; cat"));
    const reading = readAll(agent);
    await agent.end();
    expect(await reading).toEqual(["hello"]);
  });

  it("does not touch another agent of the same session", async () => {
    const [first, second] = [
      await host.spawn({ ...shell("cat"), sessionId: "s" }),
      await host.spawn({ ...shell("cat"), sessionId: "s" }),
    ];
    await first.end();
    expect([isAlive(first.pid), isAlive(second.pid)]).toEqual([false, true]);
  });
});

describe("the host", () => {
  it("gives agents their marker and never our token", async () => {
    const agent = await host.spawn({ ...shell("env"), sessionId: "s", environment: { SESSION_VALUE: "1" } });
    const lines = await readAll(agent);
    expect(lines).toContain(`INTERLINGUA_OWNER=${ownerMarker(`${daemonId}/s`, ownIdentity(), 1)}`);
    expect(lines).toContain("SESSION_VALUE=1");
    expect(lines.join("\n")).not.toContain("INTERLINGUA_TOKEN");
  });

  it("ends everything when it is closed, also what agents left behind, and then starts no more", async () => {
    const running = await host.spawn(shell(STUBBORN));
    const gone = await host.spawn(node(startDetached({ thenExit: true })));
    const [left] = await announcedPids(gone, 1);
    await gone.exited;
    await Promise.all([host.close(), host.close()]);
    expect([isAlive(running.pid), isAlive(left!)]).toEqual([false, false]);
    expect(await markedBy(daemonId)).toEqual([]);
    await expect(host.spawn(shell("cat"))).rejects.toMatchObject({ code: "shutting_down" });
  });

  it("ends an agent that was starting while it closed", async () => {
    const spawning = host.spawn(shell("cat"));
    const closing = host.close();
    await expect(spawning).rejects.toMatchObject({ code: "shutting_down" });
    await closing;
    expect(await markedBy(daemonId)).toEqual([]);
  });
});

describe("kill -9 of the daemon", () => {
  const fixture = fileURLToPath(new URL("./fixtures/doomed-daemon.ts", import.meta.url));
  const stubborn = `require("node:child_process").spawn("/bin/sh", ["-c", ${JSON.stringify(STUBBORN)}], { stdio: "inherit" });`;

  /** The daemon in its own group, as a service manager would start it. */
  async function doomedDaemon(
    agentScript: string,
    count: number,
  ): Promise<{ daemon: ChildProcess; pids: number[] }> {
    const daemon = spawn(process.execPath, [fixture, daemonId, agentScript], {
      detached: true,
      stdio: ["ignore", "pipe", "inherit"],
    });
    const pids: number[] = [];
    createInterface(daemon.stdout!).on("line", (line) => {
      const pid = /^pid (\d+)$/.exec(line)?.[1];
      if (pid !== undefined) pids.push(Number(pid));
    });
    await eventually("the daemon names its processes", () => pids.length === count);
    return { daemon, pids };
  }

  it("leaves neither agent, nor stubborn grandchild, nor reaper, even when its whole group is killed", async () => {
    const { daemon, pids } = await doomedDaemon(`setInterval(() => {}, 1000); ${stubborn}`, 2);
    const children = (await processTable.list()).filter(({ parent }) => parent === daemon.pid);
    expect(children).toHaveLength(3);
    process.kill(-daemon.pid!, "SIGKILL");
    await eventually("all are gone", async () => {
      const isSomebodyLeft = [daemon.pid!, ...pids, ...children.map(({ pid }) => pid)].some(isAlive);
      return !isSomebodyLeft && (await markedBy(daemonId)).length === 0;
    });
  });

  it("ends a process in its own session too, whose parents are gone", async () => {
    const { daemon, pids } = await doomedDaemon(SERVE + startDetached({ ignoresTerm: true }), 2);
    process.kill(daemon.pid!, "SIGKILL");
    // The tool's own children as well.
    await eventually("all are gone", async () => {
      return !pids.some(isAlive) && (await markedBy(daemonId)).length === 0;
    });
  });

  it("and of a reaper at the same time leaves no agent", async () => {
    const { daemon, pids } = await doomedDaemon(`setInterval(() => {}, 1000); ${stubborn}`, 2);
    const [reaper] = (await processTable.list()).filter(
      ({ parent, marker }) => parent === daemon.pid && marker === undefined,
    );
    process.kill(reaper!.pid, "SIGKILL");
    process.kill(daemon.pid!, "SIGKILL");
    await eventually("all are gone", async () => {
      return !pids.some(isAlive) && (await markedBy(daemonId)).length === 0;
    });
  });
});
