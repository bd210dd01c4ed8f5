/** The search in messages: what a commit that ends an answer costs with its text and without, and how long a search takes. */
import type { SearchText, SessionAppend } from "../src/core/store.ts";
import { openStore } from "../src/store/open-store.ts";
import { temporaryDirectory } from "../test/crash/daemon-process.ts";
import type { Benchmark, Figure, Scale } from "./harness/benchmark.ts";
import { quantile } from "./harness/quantile.ts";
import { inWarmRounds, measure, medianOf } from "./harness/rounds.ts";
import { agentOutputs, rowOf } from "./harness/sample-log.ts";

/** Of a usual answer. */
const ANSWER_DELTAS = 100;
const MESSAGES_PER_APPEND = 100;

export const search: Benchmark = {
  name: "search",
  summary: "commits that end an answer, with its text to search and without; searches over many answers",
  async run(scale) {
    return [...(await commits(scale)), ...(await searches(scale))];
  },
};

async function commits(scale: Scale): Promise<Figure[]> {
  const texts = answers(scale.size(400, 10));
  const run = async (isSearched: boolean) => {
    await using directory = await temporaryDirectory();
    const store = await openStore({ directory: directory.path });
    const appends = texts.map((text, n) => ending([text], n, isSearched));
    const { wallMs, cpuMicroseconds } = await measure(async () => {
      for (const append of appends) await store.append([append]);
    });
    const closing = await measure(() => store.close());
    const [cpu, closingCpu] = [cpuMicroseconds / texts.length, closing.cpuMicroseconds / texts.length];
    return { wall: wallMs / texts.length, cpu, indexedCpu: cpu + closingCpu };
  };
  const { ours, bare } = await inWarmRounds(scale.rounds, { ours: () => run(true), bare: () => run(false) });
  const name = "without its text";
  return [
    {
      name: "CPU per answer",
      unit: "µs",
      value: medianOf(ours, ({ cpu }) => cpu),
      baseline: { name, value: medianOf(bare, ({ cpu }) => cpu) },
    },
    {
      name: "CPU per answer until it is indexed",
      unit: "µs",
      value: medianOf(ours, ({ indexedCpu }) => indexedCpu),
      baseline: { name, value: medianOf(bare, ({ indexedCpu }) => indexedCpu) },
    },
    {
      name: "commit of an answer",
      unit: "ms",
      value: medianOf(ours, ({ wall }) => wall),
      baseline: { name, value: medianOf(bare, ({ wall }) => wall) },
    },
  ];
}

async function searches(scale: Scale): Promise<Figure[]> {
  await using directory = await temporaryDirectory();
  const texts = answers(scale.size(20_000, 200));
  const writer = await openStore({ directory: directory.path });
  for (let at = 0; at < texts.length; at += MESSAGES_PER_APPEND)
    await writer.append([ending(texts.slice(at, at + MESSAGES_PER_APPEND), at, true)]);
  // Closing waits until all of them are indexed.
  await writer.close();
  const store = await openStore({ directory: directory.path });
  const words = (texts[0]!.match(/\w{4,}/g) ?? []).slice(0, scale.size(100, 5));
  const timed = async (wordsOf: (word: string) => string) => {
    const times: number[] = [];
    for (const word of words) {
      const { wallMs } = await measure(() => store.searchMessages({ words: wordsOf(word), limit: 20 }));
      times.push(wallMs);
    }
    return quantile(times, 0.5);
  };
  const count = texts.length.toLocaleString("en");
  const figures: Figure[] = [
    { name: `a word in ${count} answers`, unit: "ms", value: await timed((word) => word) },
    { name: `two letters in ${count} answers`, unit: "ms", value: await timed((word) => word.slice(0, 2)) },
    {
      name: `two words in ${count} answers`,
      unit: "ms",
      value: await timed((word) => `${words[0]} ${word}`),
    },
  ];
  await store.close();
  return figures;
}

function answers(count: number): string[] {
  const deltas = agentOutputs(count * ANSWER_DELTAS).map(({ drafts: [draft] }) =>
    draft?.type === "text.delta" ? draft.delta : "",
  );
  return Array.from({ length: count }, (_, n) =>
    deltas.slice(n * ANSWER_DELTAS, (n + 1) * ANSWER_DELTAS).join(""),
  );
}

/** What the end of these answers adds to one session. */
function ending(texts: readonly string[], first: number, isSearched: boolean): SessionAppend {
  const session = "session";
  const events = texts.map((text, n) => {
    const seq = first + n + 1;
    return { seq, json: JSON.stringify({ session, seq, at: 1, type: "text.delta", part: "p", delta: text }) };
  });
  const said = texts.map((text, n): SearchText => ({ message: `m${first + n}`, at: 1, text }));
  return {
    session,
    events,
    raws: [],
    row: rowOf(session, first + texts.length, 0),
    messages: said.map(({ message }, n) => ({
      id: message,
      role: "assistant",
      state: "done",
      firstSeq: first + n + 1,
      lastSeq: first + n + 1,
      position: first + n + 1,
    })),
    asks: [],
    usage: [],
    ...(isSearched && { texts: said }),
  };
}
