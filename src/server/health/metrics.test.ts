import { afterAll, expect, test, vi } from "vitest";
import { TimeSlices } from "../../core/time-slices.ts";
import { createEngine } from "../../engine/create-engine.ts";
import { MemoryStore } from "../../store/memory/memory-store.ts";
import { ScriptedAdapter } from "../../testkit/scripted-adapter.ts";
import { TESTER } from "../../testkit/tester.ts";
import { until } from "../../testkit/until.ts";
import { DEFAULT_SERVER_LIMITS } from "../limits.ts";
import { Presence } from "../people/presence.ts";
import { FanOut } from "../streams/fan-out.ts";
import { Metrics } from "./metrics.ts";

const store = new MemoryStore();
const adapter = new ScriptedAdapter();
const engine = await createEngine({ store, agents: new Map([["scripted", adapter]]) });
const fanOut = new FanOut({
  engine,
  store,
  slices: new TimeSlices(Number.POSITIVE_INFINITY),
  limits: DEFAULT_SERVER_LIMITS,
  presence: new Presence(),
});

afterAll(async () => {
  fanOut.close();
  await engine.close();
});

test("what agents said and nobody uses is counted by name, and no name can break the format", async () => {
  await engine.run(
    "createSession",
    { id: "s", agent: "scripted", cwd: "/", env: { KEY: "a long secret" } },
    TESTER,
  );
  await engine.run(
    "prompt",
    { session: "s", parts: [{ type: "text", text: "hi" }], whenBusy: "queue" },
    TESTER,
  );
  await until(() => adapter.last?.commands.length === 1);
  const raw = { direction: "in" as const, data: "{}" };
  const odd = 'a "quoted" \\ name\nof two lines';
  adapter.last.output({ raw, drafts: [], unread: [odd, "result.cost", "result.cost"] });
  adapter.last.say({ type: "agent.unknown", native: "hello of a long secret" });
  adapter.last.say({ type: "turn.ended", outcome: "completed" });
  await until(() => engine.stats().turns.length === 1);

  const metrics = new Metrics(engine, fanOut).text().split("\n");
  expect(metrics.filter((line) => line.startsWith("interlingua_agent_un"))).toEqual([
    "interlingua_agent_unknown_total 1",
    'interlingua_agent_unread_total{agent="scripted",native="result.cost"} 2',
    'interlingua_agent_unread_total{agent="scripted",native="a \\"quoted\\" \\\\ name\\nof two lines"} 1',
    'interlingua_agent_unread_total{agent="scripted",native="hello of [secret KEY]"} 1',
  ]);
  expect(metrics).toContain('interlingua_turns_total{agent="scripted",outcome="completed"} 1');
  expect((await engine.run("getAgent", { agent: "scripted" }, TESTER)).unread?.[0]).toEqual({
    native: "result.cost",
    count: 2,
  });
});

test("commits are a histogram that Prometheus reads, and how busy they keep the store", () => {
  const text = new Metrics(engine, fanOut).text();
  const [, lines = ""] =
    /# TYPE interlingua_commit_seconds histogram\n((?:interlingua_.*\n)+)/.exec(text) ?? [];
  const buckets = [...lines.matchAll(/_bucket\{le="([\d.]+|\+Inf)"\} (\d+)\n/g)];
  const counts = buckets.map(([, , count]) => Number(count));
  expect(buckets.at(-1)?.[1]).toBe("+Inf");
  expect(counts).toEqual(counts.toSorted((a, b) => a - b));
  expect(counts.at(-1)).toBe(engine.stats().commits);
  expect(lines).toContain(`\ninterlingua_commit_seconds_count ${engine.stats().commits}\n`);
  expect(lines).toMatch(/\ninterlingua_commit_seconds_sum [\d.e-]+\n/);
  expect(text).toMatch(/\ninterlingua_commit_saturation [01][\d.e-]*\n/);
});

test("further sources are asked each time, and their labels escaped", () => {
  let calls = 0;
  const source = () => [
    { name: "calls_total", type: "counter" as const, help: "Calls", value: ++calls },
    { name: "named", type: "gauge" as const, help: "Named", value: new Map([[{ node: 'a"b' }, 2]]) },
  ];
  const metrics = new Metrics(engine, fanOut, undefined, [source]);
  expect(metrics.text()).toContain("\ninterlingua_calls_total 1\n");
  expect(metrics.text()).toContain("\ninterlingua_calls_total 2\n");
  expect(metrics.text()).toContain('\ninterlingua_named{node="a\\"b"} 2\n');
});

test("metrics fail when no descriptor is left to read how much memory there is", () => {
  using _ = vi.spyOn(process.memoryUsage, "rss").mockImplementation(() => {
    throw new Error("EMFILE: too many open files, uv_resident_set_memory");
  });
  const text = new Metrics(engine, fanOut).text();
  expect(text).not.toContain("process_resident_bytes");
  expect(text).toContain("interlingua_process_cpu_seconds_total");
});
