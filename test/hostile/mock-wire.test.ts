/** The hostile agent on the wire of the mock: a real process, the real adapter's two halves, the engine and SQLite. */

import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { createInbound } from "../../src/agents/mock/inbound.ts";
import { CAPABILITIES, ENVIRONMENT_KEYS } from "../../src/agents/mock/manifest.ts";
import { outbound } from "../../src/agents/mock/outbound.ts";
import { openChildSession } from "../../src/agents/transport/open-child-session.ts";
import type { BackendAdapter } from "../../src/core/adapter.ts";
import { checkLog } from "../../src/core/check-log.ts";
import { eventSchema, type SessionEvent } from "../../src/core/event.ts";
import { principal } from "../../src/core/principal.ts";
import { createEngine } from "../../src/engine/create-engine.ts";
import type { Engine } from "../../src/engine/engine.ts";
import { createProcessHost } from "../../src/process/local-process-host.ts";
import type { ProcessHost } from "../../src/process/process-host.ts";
import { openStore } from "../../src/store/open-store.ts";
import { hostileAgent } from "../../src/testkit/hostile-agent/index.ts";
import { Random, seededRandom } from "../../src/testkit/random.ts";
import { ScriptedAdapter } from "../../src/testkit/scripted-adapter.ts";
import { TESTER } from "../../src/testkit/tester.ts";
import { until } from "../../src/testkit/until.ts";
import { temporaryDirectory } from "../crash/daemon-process.ts";

const TURNS = 12;

function hostileAdapter(processHost: ProcessHost): BackendAdapter {
  const program = hostileAgent({ wire: "mock", maxBytes: 1_000_000 });
  return {
    name: "hostile",
    capabilities: CAPABILITIES,
    environmentKeys: ENVIRONMENT_KEYS,
    probe: async () => ({ installed: true }),
    release: (sessionId) => processHost.endSession(sessionId),
    connect: (options) =>
      openChildSession({
        agent: "hostile",
        processHost,
        launch: { ...program, cwd: options.cwd, sessionId: options.sessionId, keys: ENVIRONMENT_KEYS },
        translator: outbound,
        encoder: createInbound(options, 0),
      }),
  };
}

async function playTurn(engine: Engine, seed: number): Promise<void> {
  await engine.run(
    "prompt",
    { session: "s", parts: [{ type: "text", text: `seed:${seed}` }], whenBusy: "queue" },
    TESTER,
  );
  let looks = 0;
  await until(async () => {
    const { status, queued } = await engine.run("getSession", { session: "s" }, TESTER);
    if (status !== "running" && status !== "waiting" && queued === 0) return true;
    if (++looks > 10) await engine.run("interrupt", { session: "s" }, principal("owner", "test"));
    await sleep(50);
    return false;
  }, 60_000).catch((error) => {
    throw new Error(`seed:${seed}: ${error.message}`);
  });
}

it("a hostile agent on the wire of the mock leaves a well-formed log", async () => {
  await using directory = await temporaryDirectory();
  const random = new Random(seededRandom("hostile mock wire").seed);
  const processHost = createProcessHost({ daemonId: `hostile-${process.pid}`, environment: process.env });
  const store = await openStore({ directory: directory.path });
  const engine = await createEngine({
    store,
    agents: new Map<string, BackendAdapter>([
      ["hostile", hostileAdapter(processHost)],
      ["scripted", new ScriptedAdapter()],
    ]),
    limits: { stopGraceMs: 200 },
  });
  try {
    await engine.run("createSession", { id: "s", agent: "hostile", cwd: directory.path }, TESTER);
    await engine.run("createSession", { id: "calm", agent: "scripted", cwd: directory.path }, TESTER);
    for (let turn = 0; turn < TURNS; turn += 1) await playTurn(engine, random.integer(0, 2 ** 31));
    await engine.run("updateSession", { session: "calm", title: "still here" }, TESTER);
    expect((await engine.run("getSession", { session: "calm" }, TESTER)).title).toBe("still here");
  } finally {
    await engine.close();
    await processHost.close();
  }
  const { events } = await store.readEvents("s", 0, 1_000_000);
  const log = events.map(({ json }) => JSON.parse(json) as SessionEvent);
  expect(checkLog(log, { complete: true })).toEqual([]);
  expect(log.map((event) => eventSchema.safeParse(event).error?.issues).filter(Boolean)).toEqual([]);
  expect(log.filter(({ type }) => type === "turn.ended").length).toBeGreaterThanOrEqual(TURNS);
  expect(await store.check()).toMatchObject({ ok: true, problems: [] });
  await store.close();
});
