import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { searchPath } from "../../core/search-path.ts";
import { createEngine } from "../../engine/create-engine.ts";
import { createPrograms } from "../../install/local-programs.ts";
import { TestRegistry } from "../../install/registry.test-support.ts";
import { createProcessHost } from "../../process/local-process-host.ts";
import { installationFrameSchema } from "../../protocol/schemas/service.ts";
import { MemoryStore } from "../../store/memory/memory-store.ts";
import { ScriptedAdapter } from "../../testkit/scripted-adapter.ts";
import { until } from "../../testkit/until.ts";
import { openFileLister } from "../../workspace/list-files.ts";
import { call, StreamClient } from "../http-client-test-support.ts";
import { startServer } from "../listen/http-server.ts";
import { testConfig } from "../synthetic-server-test-support.ts";

const PATH = "/v1/agents/tool/install";
const STREAM = { method: "POST", headers: { accept: "text/event-stream" } };

let registry: TestRegistry;
let url: string;
let close: () => Promise<void>;

beforeEach(async () => {
  registry = await TestRegistry.start();
  const environment = registry.environment();
  const processHost = createProcessHost({ daemonId: randomUUID(), environment });
  const programs = createPrograms({
    processHost,
    dataDirectory: join(registry.directory, "data"),
    searchPath: searchPath(environment),
    presetsDirectory: registry.presetsDirectory,
  });
  const store = new MemoryStore();
  const tool = Object.assign(new ScriptedAdapter(), { program: registry.preset });
  const agents = new Map([
    ["tool", tool],
    ["scripted", new ScriptedAdapter()],
  ]);
  const engine = await createEngine({ store, agents, programs });
  const server = await startServer({
    engine,
    store,
    dialects: [],
    config: testConfig({ roots: [registry.directory] }),
    files: openFileLister(),
  });
  url = server.url;
  close = async () => {
    await server.close();
    await engine.close();
    await programs.close();
    await processHost.close();
    await registry.close();
  };
});

afterEach(() => close());

const isInstalled = () => existsSync(join(registry.directory, "data/agents/tool/program/1.0.0"));

test("answers with the agent's view when it is done; doing it again changes nothing", async () => {
  const first = await call(url, "POST", PATH);
  expect([first.status, first.body.installable]).toEqual([200, "1.0.0"]);
  expect(isInstalled()).toBe(true);
  const downloads = [...registry.downloads];
  expect((await call(url, "POST", PATH)).status).toBe(200);
  expect(registry.downloads).toEqual(downloads);
});

test("streams how far it is, and where the program is then", async () => {
  const stream = await StreamClient.open(url, PATH, STREAM);
  await stream.ended;
  const frames = stream.frames.map(({ data }) => installationFrameSchema.parse(data));
  expect(frames[0]).toEqual({ phase: "preparing" });
  expect(frames.at(-1)).toEqual({
    phase: "installed",
    version: "1.0.0",
    path: expect.stringContaining(join("program", "1.0.0")),
  });
});

test("goes on when the client leaves, and others join it", async () => {
  registry.hold();
  const first = await StreamClient.open(url, PATH, STREAM);
  await until(() => registry.downloads.length > 0);
  first.close();
  await first.ended;
  const second = await StreamClient.open(url, PATH, STREAM);
  registry.letGo();
  await second.ended;
  expect(second.frames.at(-1)?.data.phase).toBe("installed");
  expect(registry.downloads).toHaveLength(2);
});

test("a failure is a problem, as an answer and as the last frame", async () => {
  registry.isTampered = true;
  const answer = await call(url, "POST", PATH);
  expect([answer.status, answer.body.code]).toEqual([502, "install_failed"]);
  const stream = await StreamClient.open(url, PATH, STREAM);
  await stream.ended;
  expect(installationFrameSchema.parse(stream.frames.at(-1)?.data)).toMatchObject({
    phase: "failed",
    code: "install_failed",
    detail: expect.stringContaining("not what was published"),
  });
});

test.each([
  ["scripted", 422, "unsupported"],
  ["nobody", 404, "agent_not_found"],
])("%s is refused with %i %s, whatever the client accepts", async (agent, status, code) => {
  for (const accept of ["application/json", "text/event-stream"]) {
    const answer = await call(url, "POST", `/v1/agents/${agent}/install`, { headers: { accept } });
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  }
});
