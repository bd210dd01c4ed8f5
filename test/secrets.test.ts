/** Secrets with a real daemon, a real agent of the config and a data directory: what is masked, and what must not be. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { SessionEvent } from "../src/core/event.ts";
import { type Daemon, startDaemon } from "../src/daemon.ts";
import { call, TOKEN } from "../src/server/http-client-test-support.ts";
import { misbehavingAcpAgent } from "../src/testkit/index.ts";
import { until } from "../src/testkit/until.ts";

let directory: string;
let data: string;
let daemon: Daemon | undefined;
let log = "";

beforeEach(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), "interlingua-secrets-")));
  data = join(directory, "data");
  log = "";
});

afterEach(async () => {
  await stop();
  rmSync(directory, { recursive: true });
});

async function start(env: Record<string, string> = {}): Promise<void> {
  const memory = join(directory, "memory");
  mkdirSync(memory, { recursive: true });
  const { command, args } = misbehavingAcpAgent({ memory });
  daemon = await startDaemon({
    data,
    port: 0,
    token: TOKEN,
    roots: [directory],
    agents: { odd: { protocol: "acp", command: [command, ...args], env } },
    environment: { ...process.env, DAEMON_KEY: "taken-from-the-daemon" },
    logger: pino(
      { level: "trace" },
      {
        write(line: string) {
          log += line;
        },
      },
    ),
  });
}

async function stop(): Promise<void> {
  await daemon?.close();
  daemon = undefined;
}

function request(method: string, path: string, body?: unknown) {
  return call(daemon!.url, method, path, { body });
}

async function events(): Promise<SessionEvent[]> {
  return (await request("GET", "/v1/sessions/s/events?limit=1000")).body.events;
}

/** Gives what the agent said in the turn. */
async function ask(text: string): Promise<string> {
  const before = (await events()).length;
  expect((await request("POST", "/v1/sessions/s/messages", { text })).status).toBe(202);
  await until(async () => (await events()).slice(before).some(({ type }) => type === "turn.ended"));
  const told = (await events()).slice(before);
  expect(told.find(({ type }) => type === "turn.ended")).toMatchObject({ outcome: "completed" });
  return told.map((event) => (event.type === "text.delta" ? event.delta : "")).join("");
}

async function everythingShown(): Promise<string> {
  const paths = ["", "/events?limit=1000", "/raw?limit=1000", "/messages"].map(
    (rest) => `/v1/sessions/s${rest}`,
  );
  const answers = await Promise.all(
    [...paths, "/v1/sessions", "/metrics"].map((path) => request("GET", path)),
  );
  return answers.map(({ text }) => text).join("\n");
}

function everythingStored(): string {
  const files = readdirSync(data, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.map((file) => readFileSync(join(file.parentPath, file.name), "latin1")).join("\n");
}

it("a model that the config also has in env is still the model after a restart, and a word like any other", async () => {
  const env = { AGENT_MODEL: "careful-model", MAX_CONTEXT_SIZE: "100000" };
  await start(env);
  await request("POST", "/v1/sessions/s", { agent: "odd", cwd: directory, model: "careful-model" });
  expect(await ask("model")).toBe("model: careful-model");
  await stop();
  await start(env);
  expect(await ask("model")).toBe("model: careful-model");
  expect((await request("GET", "/v1/sessions/s")).body.model).toBe("careful-model");
  expect(await everythingShown()).not.toContain("[secret");
});

it("a model and a directory that are also in the session's env work as they are", async () => {
  await start();
  const env = { AGENT_MODEL: "careful-model", PROJECT: directory };
  await request("POST", "/v1/sessions/s", { agent: "odd", cwd: directory, model: "careful-model", env });
  await ask("model");
  await stop();
  await start();
  await request("PATCH", "/v1/sessions/s", { env });
  await ask("model");
  const { body } = await request("GET", "/v1/sessions/s");
  expect(body).toMatchObject({ model: "careful-model", cwd: directory });
});

it.each([
  ["a slash and an equals sign", "sk/live=1234567"],
  ["quotes and backslashes", 'sk-"live"\\1234567'],
  ["an umlaut, an emoji and a line break", "schlüssel😀\n1234567"],
])("a secret with %s is nowhere, however the agent spells it", async (_what, secret) => {
  await start({ OTHER: "$DAEMON_KEY" });
  const body = {
    agent: "odd",
    cwd: directory,
    title: secret,
    metadata: { [secret]: secret },
    env: { KEY: secret },
  };
  await request("POST", "/v1/sessions/s", body);
  const said = await ask("spell KEY");
  expect(said).toContain("[secret KEY]");
  expect(await ask("spell OTHER")).toContain("[secret OTHER]");
  await ask(`please keep ${secret} and ${JSON.stringify({ key: secret })}`);
  expect(
    (await request("POST", `/v1/sessions/s/messages?x=${encodeURIComponent(secret)}`, { text: 1 })).status,
  ).toBe(400);
  // While it runs, so that the newest is in the write-ahead log.
  const kept = [everythingStored(), await everythingShown()];
  await stop();
  const pieces = [secret, JSON.stringify(secret).slice(1, -1), "taken-from-the-daemon"];
  const spellings = pieces.flatMap((text) => [
    text,
    text.replaceAll("/", "\\/"),
    Buffer.from(text).toString("latin1"),
  ]);
  for (const text of [...kept, everythingStored(), log]) {
    for (const spelling of spellings) expect(text).not.toContain(spelling);
    expect(text).not.toMatch(/(?:\\+u00[0-9a-f]{2}){5}/i);
  }
  expect(kept[1]).toContain("[secret KEY]");
});

it("a session with env values that are no longer known takes none of them for given", async () => {
  await start();
  await request("POST", "/v1/sessions/s", {
    agent: "odd",
    cwd: directory,
    env: { toString: "a-secret", KEY: "x" },
  });
  await stop();
  await start();
  await request("PATCH", "/v1/sessions/s", { env: { KEY: "x" } });
  expect((await request("GET", "/v1/sessions/s")).body.envRequired).toBe(true);
  expect((await request("POST", "/v1/sessions/s/messages", { text: "hi" })).body.code).toBe("env_required");
});
