/** An agent that fails while it starts, in a real daemon: the raw log, the X-ray and the error show why. */
import { chmodSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openReplaySource } from "../src/cli/replay/replay-source.ts";
import { verifyReplay } from "../src/cli/replay/verify-replay.ts";
import { checkLog } from "../src/core/check-log.ts";
import type { SessionEvent } from "../src/core/event.ts";
import type { RawRecord } from "../src/core/raw-record.ts";
import { type Daemon, type DaemonOptions, startDaemon } from "../src/daemon.ts";
import { call, TOKEN } from "../src/server/http-client-test-support.ts";
import { misbehavingAcpAgent } from "../src/testkit/misbehaving-acp-agent/index.ts";
import { until } from "../src/testkit/until.ts";

const SECRET = "agent-key-0123456789";
/** Answers `--version`; otherwise it says something on both outputs. */
const PROGRAM = `#!/bin/sh
[ "$1" = --version ] && { echo 99.0.0; exit; }
echo "hello from $AGENT_KEY"
echo "no licence for $AGENT_KEY" >&2
`;

let directory: string;
let daemon: Daemon | undefined;

beforeEach(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), "interlingua-failed-start-")));
});

afterEach(async () => {
  await daemon?.close();
  daemon = undefined;
  rmSync(directory, { recursive: true });
});

/** The agent's program says its words, and goes on with these lines. */
async function failedTurn(
  agent: string,
  then: string,
  { limits, protocol }: Pick<DaemonOptions, "limits"> & { protocol?: "acp" } = {},
) {
  const program = join(directory, "program");
  writeFileSync(program, `${PROGRAM}${then}\n`);
  chmodSync(program, 0o755);
  const env = { AGENT_KEY: SECRET };
  daemon = await startDaemon({
    data: ":memory:",
    port: 0,
    token: TOKEN,
    roots: [directory],
    agents: { [agent]: { ...(protocol && { protocol }), command: [program], env } },
    limits,
  });
  const { url } = daemon;
  const get = async (path: string) => (await call(url, "GET", `/v1/sessions/s${path}`)).body;
  const created = await call(url, "POST", "/v1/sessions/s", {
    body: { agent, cwd: directory, model: "a/b" },
  });
  expect(created.status).toBe(201);
  await call(url, "POST", "/v1/sessions/s/messages", { body: { text: "hi" } });
  let events: SessionEvent[] = [];
  await until(async () => {
    events = (await get("/events?limit=1000")).events;
    return events.some(({ type }) => type === "turn.ended");
  });
  expect(checkLog(events)).toEqual([]);
  const { raws } = (await get("/raw?limit=1000")) as { raws: RawRecord[] };
  return { ended: events.find((event) => event.type === "turn.ended")!, raws, xray: await get("/xray") };
}

const AGENTS = [["odd", "acp"], ["claude"], ["codex"], ["opencode"]] as const;

it.each(AGENTS)("the raw log has what %s printed before it failed", async (agent, protocol?: "acp") => {
  const { ended, raws, xray } = await failedTurn(agent, "exit 3", { protocol });
  expect(ended).toMatchObject({ outcome: "failed", raw: expect.any(Number) });
  const said = raws.map(({ direction, data }) =>
    direction === "process" ? (data as { event: string }).event : data,
  );
  expect(said[0]).toBe("spawn");
  expect(said).toContain("stderr");
  expect(said).toContain("hello from [secret AGENT_KEY]");
  const exit = raws.findLast(({ data }) => (data as { event?: string }).event === "exit");
  expect(exit?.data).toMatchObject({ code: 3, stderr: "no licence for [secret AGENT_KEY]\n" });
  expect(JSON.stringify({ raws, xray, ended })).not.toContain(SECRET);
  // The X-ray of the newest entry shows it.
  expect(xray.raw.map(({ rawSeq }: RawRecord) => rawSeq)).toContain(exit?.rawSeq);
});

it.each(AGENTS)(
  "the raw log has what %s printed before it was given up, and the error names the setting",
  async (agent, protocol?: "acp") => {
    const { ended, raws } = await failedTurn(agent, "exec sleep 1000", {
      protocol,
      limits: { connectTimeoutMs: 4000 },
    });
    expect(ended.error?.message).toContain("was not ready within 4 seconds");
    expect(ended.error?.message).toContain("limits.connectTimeoutMs");
    expect(raws.map(({ data }) => data)).toEqual(
      expect.arrayContaining(["hello from [secret AGENT_KEY]", { event: "timeout" }]),
    );
  },
);

it("a long line, and a flood of them, is bounded", async () => {
  const flood = `head -c 300000 /dev/zero | tr '\\0' x; echo; i=0; while [ $i -lt 2000 ]; do echo "line $i"; i=$((i+1)); done; exit 3`;
  const { raws } = await failedTurn("odd", flood, { protocol: "acp" });
  expect(raws.length).toBeLessThanOrEqual(500);
  expect(raws[0]?.data).toMatchObject({ event: "spawn" });
  expect(raws.map(({ data }) => data)).toContain("line 1999");
  const long = await failedLine(`head -c 300000 /dev/zero | tr '\\0' x; echo; exit 3`);
  expect(long).toContain("[left out: the line had 300000 characters]");
});

it("the replay of a session is the same, although its agent failed once while it started", async () => {
  const ready = join(directory, "ready");
  const { command, args } = misbehavingAcpAgent({ memory: directory });
  await failedTurn("gemini", `[ -e "${ready}" ] || exit 3\nexec "${command}" ${args.join(" ")}`);
  expect(await replayDifference()).toBeUndefined();
  writeFileSync(ready, "");
  const { url } = daemon!;
  await call(url, "POST", "/v1/sessions/s/messages", { body: { text: "hello" } });
  await until(async () => {
    const { events } = (await call(url, "GET", "/v1/sessions/s/events?limit=1000")).body;
    return events.filter(({ type }: SessionEvent) => type === "turn.ended").length === 2;
  });
  expect(await replayDifference()).toBeUndefined();
});

async function replayDifference() {
  const values: Record<string, string> = { url: daemon!.url };
  const source = await openReplaySource({
    positionals: ["s"],
    flags: { values, text: (name) => values[name], on: () => false },
    environment: { INTERLINGUA_TOKEN: TOKEN },
    cwd: directory,
  });
  try {
    return (await verifyReplay(source)).difference;
  } finally {
    await source.close();
  }
}

async function failedLine(then: string): Promise<unknown[]> {
  await daemon?.close();
  const { raws } = await failedTurn("odd", then, { protocol: "acp" });
  return raws.map(({ data }) => data);
}
