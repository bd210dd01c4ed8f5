import { type ChildProcess, spawn } from "node:child_process";
import { afterEach, describe, expect, it } from "vitest";
import { eventually } from "../testkit/eventually.ts";
import { endMarkedProcesses } from "./end-marked-processes.ts";
import { belongsToDaemon, ownerMarker } from "./owner-marker.ts";
import { ownIdentity, processTable } from "./process-table.ts";
import { isAlive, markedBy } from "./test-support.ts";

const started: ChildProcess[] = [];

afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
});

async function marked(marker: string, script = ":"): Promise<number> {
  const child = spawn("/bin/sh", ["-c", `${script}; echo ready; read -r forever`], {
    env: { PATH: process.env.PATH, INTERLINGUA_OWNER: marker },
  });
  started.push(child);
  await new Promise((resolve) => child.stdout.once("data", resolve));
  return child.pid!;
}

describe("endMarkedProcesses", () => {
  it("ends the processes of one daemon, stubborn or not, and no other's", async () => {
    const own = [
      await marked("sweep-a@1.earlier#1"),
      await marked("sweep-a/session@1.earlier#2"),
      await marked("sweep-a/s@1.earlier#3", "trap '' TERM"),
    ];
    const other = await marked("sweep-ab/session@1.earlier#1");
    const ended = await endMarkedProcesses({
      owner: (owner) => belongsToDaemon(owner, "sweep-a"),
      graceMs: 100,
    });
    expect(ended.sort()).toEqual(own.sort());
    expect(own.map(isAlive)).toEqual([false, false, false]);
    expect(isAlive(other)).toBe(true);
  });

  it("tells the predicate the owner without the number of the spawn", async () => {
    const pid = await marked("sweep-b/session@1.earlier#12");
    const owners = new Set<string>();
    await endMarkedProcesses({
      owner: (owner) => {
        owners.add(owner);
        return owner === "sweep-b/session";
      },
    });
    expect(owners).toContain("sweep-b/session");
    expect(isAlive(pid)).toBe(false);
  });

  it("does not end the processes of a daemon that lives, whoever asks for it", async () => {
    const daemon = processTable.read(await marked("nobody"))!;
    const attended = await marked(ownerMarker("sweep-e/session", daemon, 1));
    const unsigned = await marked("sweep-e/session#2");
    const orphan = await marked(ownerMarker("sweep-e/session", { ...daemon, startTime: "earlier" }, 3));
    const ours = await marked(ownerMarker("sweep-e/session", ownIdentity(), 4));
    const ended = await endMarkedProcesses({ owner: (owner) => belongsToDaemon(owner, "sweep-e") });
    expect(ended.sort()).toEqual([orphan, ours].sort());
    expect([attended, unsigned].map(isAlive)).toEqual([true, true]);
  });

  it("leaves processes with the given markers alone", async () => {
    const [kept, ended] = [await marked("sweep-c@1.earlier#1"), await marked("sweep-c@1.earlier#2")];
    const except = new Set(["sweep-c@1.earlier#1"]);
    await endMarkedProcesses({ owner: (owner) => owner === "sweep-c", except });
    expect([isAlive(kept), isAlive(ended)]).toEqual([true, false]);
  });

  it("ends a process that made itself a daemon: its own session, its parents gone", async () => {
    const detached = (command: string, args: string[]) =>
      `require("node:child_process").spawn(${JSON.stringify(command)}, ${JSON.stringify(args)}, {
        detached: true, stdio: ["ignore", "inherit", "ignore"] }).unref();`;
    const grandchild = detached("/bin/sh", ["-c", "echo $$; exec sleep 1000"]);
    const launcher = spawn(process.execPath, ["-e", detached(process.execPath, ["-e", grandchild])], {
      env: { PATH: process.env.PATH, INTERLINGUA_OWNER: "sweep-d/session@1.earlier#1" },
    });
    started.push(launcher);
    const pid = Number(await new Promise((resolve) => launcher.stdout.once("data", resolve)));
    await eventually("only the grandchild is left", async () => {
      return (await markedBy("sweep-d")).every((entry) => entry.pid === pid);
    });
    expect(await endMarkedProcesses({ owner: (owner) => owner === "sweep-d/session" })).toEqual([pid]);
    expect(isAlive(pid)).toBe(false);
  });
});
