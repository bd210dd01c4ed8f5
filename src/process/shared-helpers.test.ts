import { randomUUID } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eventually } from "../testkit/eventually.ts";
import { createProcessHost } from "./local-process-host.ts";
import type { HostSpawnOptions, ProcessHost } from "./process-host.ts";
import { AGENT_WITH_HUB, Conversation, isAlive, markedBy } from "./test-support.ts";

let directory: string;
let daemonId: string;
let host: ProcessHost;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "interlingua-hub-"));
  daemonId = `test-${randomUUID()}`;
  host = createProcessHost({ daemonId, environment: process.env });
});

afterEach(async () => {
  await host.close();
  expect(await markedBy(daemonId)).toEqual([]);
  rmSync(directory, { recursive: true });
});

async function start(
  sessionId: string,
  { startsBy = "hub", ...program }: Partial<HostSpawnOptions> & { startsBy?: string } = {},
): Promise<Conversation> {
  const args = ["agent", join(directory, "hub.sock"), startsBy];
  const command = { command: process.execPath, args: [AGENT_WITH_HUB, ...args], cwd: directory };
  return new Conversation(await host.spawn({ ...command, ...program, sessionId }));
}

/** As the daemon closes a session. */
async function close(sessionId: string, { agent }: Conversation): Promise<void> {
  await agent.end();
  await host.endSession(sessionId);
}

describe.runIf(process.platform === "linux")("helpers that several agents use", () => {
  describe.each(["hub", "fork-hub"])("a hub that was started by way of %s", (startsBy) => {
    it("is killed with the session that started it, while others use it", async () => {
      const first = await start("s1", { startsBy });
      const hub = await first.pid("ping");
      const second = await start("s2", { startsBy });
      expect(await second.pid("ping")).toBe(hub);

      await close("s1", first);
      expect(await second.pid("ping")).toBe(hub);

      await close("s2", second);
      expect(isAlive(hub)).toBe(false);
    });
  });

  it("keeps what a hub runs for another session, and ends what the closed session ran itself", async () => {
    const first = await start("s1");
    const own = await first.pid("run");
    const second = await start("s2");
    const ofSecond = await second.pid("run in hub");

    await close("s1", first);
    expect([own, ofSecond].map(isAlive)).toEqual([false, true]);

    await close("s2", second);
    expect(isAlive(ofSecond)).toBe(false);
  });

  it("keeps the hub of a session whose agent rested when it was closed", async () => {
    const first = await start("s1");
    const hub = await first.pid("ping");
    const second = await start("s2");
    first.agent.closeInput();
    await first.agent.exited;

    await host.endSession("s1");
    expect(await second.pid("ping")).toBe(hub);

    await close("s2", second);
    expect(isAlive(hub)).toBe(false);
  });

  it("ends a command that is the agent's own program", async () => {
    const first = await start("s1");
    const second = await start("s2");
    const command = await first.pid("run itself");
    const hub = await second.pid("ping");
    await close("s1", first);
    expect([command, hub].map(isAlive)).toEqual([false, true]);
  });

  it("knows the program behind a launcher", async () => {
    const launcher = join(directory, "launcher");
    writeFileSync(launcher, `#!/bin/sh\n${process.execPath} ${AGENT_WITH_HUB} "$@"\n`);
    chmodSync(launcher, 0o755);
    const args = ["agent", join(directory, "hub.sock")];
    const first = await start("s1", { command: launcher, args });
    const hub = await first.pid("ping");
    const second = await start("s2", { command: launcher, args });

    await close("s1", first);
    expect(await second.pid("ping")).toBe(hub);
    await close("s2", second);
    expect(isAlive(hub)).toBe(false);
  });

  it("ends the hub when all its agents are ended at once", async () => {
    const agents = await Promise.all([start("s1"), start("s2"), start("s3")]);
    const hub = await agents[0].pid("ping");
    await Promise.all(agents.map(({ agent }) => agent.end()));
    expect(isAlive(hub)).toBe(false);
  });

  it("starts an agent only when the hub of the last one is gone, so that it does not rely on it", async () => {
    const first = await start("s1");
    const hub = await first.pid("ping");
    const ending = close("s1", first);
    await eventually("the first agent is gone", () => !isAlive(first.agent.pid));
    const second = await start("s2");
    expect(isAlive(hub)).toBe(false);
    expect(await second.pid("ping")).not.toBe(hub);
    await ending;
  });

  it("does not keep what merely runs on the same interpreter", async () => {
    const first = await start("s1");
    const second = await start("s2");
    const script = join(directory, "server.mjs");
    writeFileSync(script, "console.log('pid ' + process.pid); setInterval(() => {}, 1000);");
    const spawn = `require("node:child_process").spawn(process.execPath, [${JSON.stringify(script)}], {
    detached: true, stdio: ["ignore", "inherit", "ignore"] }); process.stdin.resume();`;
    const third = await host.spawn({
      command: process.execPath,
      args: ["-e", spawn],
      cwd: "/",
      sessionId: "s3",
    });
    const server = await new Conversation(third).pid("");
    await third.end();
    expect(isAlive(server)).toBe(false);
    expect([first, second].map(({ agent }) => isAlive(agent.pid))).toEqual([true, true]);
  });
});
