/** What checkpoints cost a person in a small project: prompts with and without them, in turns. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { temporaryDirectory } from "../test/crash/daemon-process.ts";
import type { Benchmark, Figure } from "./harness/benchmark.ts";
import { clock } from "./harness/clock.ts";
import { quantile } from "./harness/quantile.ts";
import { commitAll, SETTLED_MS, writeFiles } from "./harness/sample-project.ts";
import { InterlinguaGateway } from "./peers/interlingua-gateway.ts";
import { cpuWithChildrenOf } from "./peers/process-usage.ts";
import { StreamReader } from "./peers/stream-reader.ts";

const CONTESTANTS = ["on", "off"] as const;
type Contestant = (typeof CONTESTANTS)[number];

interface Waits {
  readonly first: number[];
  readonly end: number[];
  cpu: number;
}

export const checkpoints: Benchmark = {
  name: "checkpoints",
  summary: "prompts in a project of 200 files, with and without checkpoints",
  async run({ rounds, size }) {
    const prompts = size(40, 2);
    const figures: Figure[] = [];
    for (const hasRepository of [true, false]) {
      await using temporary = await temporaryDirectory();
      const directory = join(temporary.path, "project");
      await writeFiles(directory, size(200, 5), 10);
      if (hasRepository) await commitAll(directory);
      await sleep(size(SETTLED_MS, 1));
      await using gateway = await InterlinguaGateway.start(temporary.path);
      const readers = await openSessions(gateway, directory);
      const label = hasRepository ? "200 files in a repository" : "200 files without a repository";
      const unchanged = await play(readers, gateway.pid, rounds, prompts, async () => {});
      figures.push(...compare(`${label}, nothing changed`, unchanged));
      const changed = await play(readers, gateway.pid, rounds, prompts, (prompt) =>
        writeFile(join(directory, "folder-1", "file-1.txt"), `before prompt ${prompt}\n`),
      );
      figures.push(...compare(`${label}, one changed before each prompt`, changed));
      for (const { reader } of Object.values(readers)) reader.close();
    }
    return figures;
  },
};

type Readers = Record<Contestant, { readonly reader: StreamReader; prompt(text: string): Promise<unknown> }>;

/** Two sessions in one directory and one daemon. */
async function openSessions(gateway: InterlinguaGateway, cwd: string): Promise<Readers> {
  const open = async (contestant: Contestant) => {
    const body = { agent: "fast", cwd, checkpoints: contestant };
    const { id } = (await gateway.client.post("/v1/sessions", body)) as { id: string };
    const session = await gateway.openSession(id);
    return { reader: await StreamReader.open(session.stream), prompt: session.prompt };
  };
  return { on: await open("on"), off: await open("off") };
}

/** Prompt by prompt in turns, each time beginning with the other. As many as in one round before it counts: to warm up. */
async function play(
  readers: Readers,
  pid: number,
  rounds: number,
  prompts: number,
  prepare: (prompt: number) => Promise<void>,
): Promise<Record<Contestant, Waits>> {
  const waits: Record<Contestant, Waits> = { on: emptyWaits(), off: emptyWaits() };
  for (let count = -prompts; count < rounds * prompts; count += 1) {
    const [first, second] = count % 2 === 0 ? CONTESTANTS : CONTESTANTS.toReversed();
    for (const contestant of [first!, second!]) {
      await prepare(2 * count + Number(contestant === first));
      const { first: toFirst, end, cpu } = await ask(readers[contestant], pid);
      if (count < 0) continue;
      waits[contestant].first.push(toFirst);
      waits[contestant].end.push(end);
      waits[contestant].cpu += cpu;
    }
  }
  return waits;
}

async function ask({ reader, prompt }: Readers[Contestant], pid: number) {
  reader.reset();
  const cpuBefore = cpuWithChildrenOf(pid);
  const startedAt = clock();
  const taken = prompt("burst 1");
  await reader.until(() => reader.chunks > 0);
  await taken;
  await reader.until(() => reader.turns > 0);
  const end = (clock() - startedAt) / 1000;
  return { first: (reader.firstChunkAt - startedAt) / 1000, end, cpu: cpuWithChildrenOf(pid) - cpuBefore };
}

function emptyWaits(): Waits {
  return { first: [], end: [], cpu: 0 };
}

function compare(label: string, { on, off }: Record<Contestant, Waits>): Figure[] {
  const figure = (name: string, pick: (waits: Waits) => number): Figure => ({
    name: `${name}, ${label}`,
    unit: "ms",
    value: pick(on),
    baseline: { name: "without checkpoints", value: pick(off) },
  });
  const first = (waits: Waits) => quantile(waits.first, 0.5);
  return [
    figure("prompt to first event", first),
    { name: `prompt to first event, more, ${label}`, unit: "ms", value: first(on) - first(off) },
    figure("prompt to the end of the turn", ({ end }) => quantile(end, 0.5)),
    figure("CPU of a prompt, git too", ({ cpu, first: { length } }) => cpu / 1000 / length),
  ];
}
