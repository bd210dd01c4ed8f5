/** What whoever runs a daemon sees of turns that failed: a real daemon, the mock, the daemon's log and its metrics. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createLogger } from "../src/cli/create-logger.ts";
import { type Daemon, startDaemon } from "../src/daemon.ts";
import { TOKEN } from "../src/server/http-client-test-support.ts";
import { until } from "../src/testkit/until.ts";
import { DaemonClient } from "./daemon-client.ts";

let directory: string;
let daemon: Daemon;
let client: DaemonClient;
let written: string;

beforeEach(async () => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), "interlingua-failed-turns-")));
  written = "";
  const destination = {
    write(line: string) {
      written += line;
    },
  };
  daemon = await startDaemon({
    ...{ data: ":memory:", port: 0, token: TOKEN, roots: [directory], cwd: directory, checkpoints: "off" },
    agents: { dies: { protocol: "acp", command: ["/bin/sh", "-c", "echo PRIVATE >&2; exit 3"] } },
    logger: createLogger({ environment: {}, destination, plain: false }),
  });
  client = new DaemonClient(daemon);
});

afterEach(async () => {
  await daemon.close();
  rmSync(directory, { recursive: true });
});

const warnings = () => {
  const lines = written.split("\n").filter((line) => line !== "");
  return lines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ level }) => level === "warn");
};

async function run(scenario: string): Promise<void> {
  const ended = async () =>
    (await client.events("demo")).filter((line) => line.includes('"type":"turn.ended"')).length;
  const before = await ended();
  await client.prompt("demo", `scenario:${scenario} PRIVATE`);
  if (scenario === "hang") {
    await until(async () =>
      (await client.events("demo")).some((line) => line.includes('"type":"text.delta"')),
    );
    await client.call("POST", "/v1/sessions/demo/interrupt", {});
  }
  await until(async () => (await ended()) > before);
}

test("a crash of an agent left nothing in the log, not even at the level debug", async () => {
  await client.call("POST", "/v1/sessions", { id: "demo", agent: "mock" });
  for (const scenario of ["text", "error", "limit", "crash", "hang"]) await run(scenario);
  await until(() => warnings().length === 4);
  expect(warnings()).toMatchObject([
    { msg: "a turn did not complete", session: "demo", agent: "mock", outcome: "failed" },
    { outcome: "limit" },
    { outcome: "failed", code: "agent_exited", signal: expect.stringMatching(/^SIG/) },
    { outcome: "interrupted", by: expect.any(String) },
  ]);
  for (const line of warnings()) {
    expect(line).toMatchObject({ turn: expect.any(String), durationMs: expect.any(Number) });
  }
  expect(written).not.toContain("PRIVATE");
  const metrics = await (await client.request("GET", "/metrics")).text();
  expect(metrics.split("\n").filter((line) => line.startsWith("interlingua_turns_total"))).toEqual([
    'interlingua_turns_total{agent="mock",outcome="completed"} 1',
    'interlingua_turns_total{agent="mock",outcome="failed"} 2',
    'interlingua_turns_total{agent="mock",outcome="limit"} 1',
    'interlingua_turns_total{agent="mock",outcome="interrupted"} 1',
  ]);
});

test("an agent that did not start left a line that said neither why nor how it ended", async () => {
  await client.call("POST", "/v1/sessions", { id: "demo", agent: "dies" });
  await client.prompt("demo", "PRIVATE");
  await until(() => warnings().length === 2);
  expect(warnings()).toMatchObject([
    { msg: "an agent did not start", session: "demo", agent: "dies", code: "agent_failed", exit: 3 },
    { msg: "a turn did not complete", outcome: "failed", code: "agent_failed" },
  ]);
  expect(written).not.toContain("PRIVATE");
});
