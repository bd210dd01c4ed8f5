/** `limits.connectTimeoutMs` is the one limit for the start of an agent, whichever agent it is. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { ConnectOptions } from "../core/adapter.ts";
import type { FoundProgram, Programs } from "../core/program.ts";
import { createProcessHost } from "../process/local-process-host.ts";
import type { AgentProcess, ProcessHost } from "../process/process-host.ts";
import { until } from "../testkit/until.ts";
import { agentContext } from "./agent-context.test-support.ts";
import { createAgents } from "./registry.ts";

/** Longer than any limit that adapters used to have. */
const LIMIT_MS = 600_000;
const AGENTS = ["claude", "codex", "opencode", "gemini"];
const daemonId = `start-timeout-${process.pid}`;
const directory = mkdtempSync(join(tmpdir(), "start-timeout-"));
let host: ProcessHost;

beforeAll(() => {
  host = createProcessHost({ daemonId, environment: process.env });
  const script = join(directory, "silent");
  writeFileSync(script, '#!/bin/sh\n[ "$1" = --version ] && { echo 99.0.0; exit; }\nexec sleep 1000\n');
  chmodSync(script, 0o755);
});
afterEach(() => {
  vi.useRealTimers();
});
afterAll(async () => {
  await host.close();
  rmSync(directory, { recursive: true });
});

/** Starts an agent whose program knows its version, and otherwise says nothing. */
function start(agent: string, options: Partial<ConnectOptions> = {}) {
  const silent = Promise.withResolvers<AgentProcess>();
  const found: FoundProgram = { command: join(directory, "silent"), args: [], from: "config" };
  const programs: Programs = { find: async () => found, install: async () => found };
  const processHost: ProcessHost = {
    ...host,
    async spawn(spawned) {
      const child = await host.spawn(spawned);
      if (!spawned.args.includes("--version")) silent.resolve(child);
      return child;
    },
  };
  const context = { ...agentContext(processHost, directory), programs, startTimeoutMs: LIMIT_MS };
  const adapter = createAgents(context).get(agent)!;
  const attempt: { failure?: unknown; silent: Promise<AgentProcess> } = { silent: silent.promise };
  const connect = { sessionId: agent, cwd: directory, model: "a/b", ...options };
  adapter.connect(connect).catch((error) => {
    attempt.failure = error;
  });
  return attempt;
}

describe.each(AGENTS)("a start of %s that hangs", (agent) => {
  it("is given up after limits.connectTimeoutMs, not after a limit of the adapter, and its error names the setting", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const attempt = start(agent);
    const child = await attempt.silent;
    await vi.advanceTimersByTimeAsync(LIMIT_MS - 5000);
    expect(attempt.failure).toBeUndefined();
    await vi.advanceTimersByTimeAsync(10_000);
    vi.useRealTimers();
    await until(() => attempt.failure !== undefined);
    expect(attempt.failure).toMatchObject({
      code: "agent_failed",
      message: expect.stringMatching(
        /was not ready within 600 seconds\. Try again, or raise limits\.connectTimeoutMs/,
      ),
    });
    await child.exited;
  });

  it("ends with its process when nobody wants it any more", async () => {
    const stop = new AbortController();
    const attempt = start(agent, { signal: stop.signal });
    const child = await attempt.silent;
    stop.abort(new Error("nobody wants it"));
    await until(() => attempt.failure !== undefined);
    expect(attempt.failure).toMatchObject({ message: "nobody wants it" });
    await child.exited;
  });
});
