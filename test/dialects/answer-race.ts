/**
 * Two people answer one ask at the same moment, each through another dialect. One of them decides, the other is told who did,
 * and the agent gets one answer.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { checkLog } from "../../src/core/check-log.ts";
import type { SessionEvent } from "../../src/core/event.ts";
import type { Random } from "../../src/testkit/random.ts";
import { DaemonClient } from "../daemon-client.ts";
import { ANSWERERS, type Person, SAID_LATER, type Told } from "./answerers.ts";
import { EventFeed } from "./event-feed.ts";

const LEAD_MS = 5;

export interface RaceOptions {
  daemon: { url: string; token: string };
  /** Sessions that go on at the same time. */
  sessions: number;
  /** Asks in each. */
  rounds: number;
  random: Random;
}

/** Gives how often which dialect decided. */
export async function raceAnswers({
  daemon,
  sessions,
  rounds,
  random,
}: RaceOptions): Promise<Map<string, number>> {
  const owner = new DaemonClient(daemon);
  const people = await Promise.all(["anna", "ben"].map((name) => personOf(owner, name)));
  const wins = new Map<string, number>();
  const one = async (place: number) => {
    const session = `race-${place}`;
    const kind = place % 3 === 2 ? "question" : "permission";
    const about = { id: session, agent: "mock", options: { pace: 0 }, checkpoints: "off" };
    await owner.call("POST", "/v1/sessions", about);
    const watcher = new EventFeed(owner, session);
    const asks: string[] = [];
    for (let round = 0; round < rounds; round += 1) {
      await owner.prompt(session, kind === "question" ? "scenario:question" : "scenario:approve");
      const ask = await watcher.next("ask.opened");
      asks.push(ask.ask);
      const [first, second] = pair(ANSWERERS[kind], random);
      const isFirstAllowed = random.chance(0.5);
      const answers = await Promise.all([
        first[1](people[0]!, ask, isFirstAllowed),
        second[1](people[1]!, ask, !isFirstAllowed),
      ]);
      const order = random.chance(0.5) ? [0, 1] : [1, 0];
      const told: Told[] = [];
      // In half of the rounds one is a little ahead: a message of a socket is handled after requests that arrive with it.
      const lead = random.chance(0.5) ? LEAD_MS : 0;
      await Promise.all(
        order.map(async (index, place) => {
          if (place > 0 && lead > 0) await sleep(lead);
          told[index] = await answers[index]!();
        }),
      );
      await watcher.next("turn.ended");
      const winner = told.indexOf(undefined);
      if (told[1 - winner] === SAID_LATER) {
        // Its turn asks for something else, which nobody answers.
        await owner.call("POST", `/v1/sessions/${session}/interrupt`, {});
        await watcher.next("turn.ended");
        watcher.take("ask.opened");
      } else
        expect(told, `one decides, the other is told who: ${first[0]}, ${second[0]}`).toEqual(
          winner === 0 ? [undefined, "anna"] : ["ben", undefined],
        );
      const name = [first, second][winner]![0];
      wins.set(name, (wins.get(name) ?? 0) + 1);
    }
    watcher.close();
    await expectOneAnswerEach(owner, session, asks);
  };
  await Promise.all(Array.from({ length: sessions }, (_, place) => one(place)));
  return wins;
}

async function personOf(owner: DaemonClient, name: string): Promise<Person> {
  const { token } = await owner.call<{ token: string }>("POST", "/v1/tokens", { name, role: "operator" });
  return { name, client: new DaemonClient({ url: owner.url, token }) };
}

/** Two different ones. */
function pair<Item>(items: readonly Item[], random: Random): [Item, Item] {
  const first = random.integer(0, items.length - 1);
  const other = (first + random.integer(1, items.length - 1)) % items.length;
  return [items[first]!, items[other]!];
}

/** Each ask has one answer in the log, and the agent was sent that one and no other. */
async function expectOneAnswerEach(
  owner: DaemonClient,
  session: string,
  asks: readonly string[],
): Promise<void> {
  const log = (await owner.events(session)).map((line) => JSON.parse(line) as SessionEvent);
  expect(checkLog(log)).toEqual([]);
  const opened = log.filter((event) => event.type === "ask.opened").filter(({ ask }) => asks.includes(ask));
  const answered = log.filter((event) => event.type === "ask.answered");
  expect(opened).toHaveLength(asks.length);
  expect(answered.map(({ ask }) => ask).sort()).toEqual(opened.map(({ ask }) => ask).sort());
  const sent = (await sentLines(owner, session)).filter(({ method }) => method === "answer");
  expect(sent.map(({ params }) => params.ask)).toEqual(opened.map(({ native }) => native));
  const chosen = answered.map(({ option, answers }) => option ?? answers?.q1?.[0]);
  expect(sent.map(({ params }) => params.option ?? params.answers?.q1?.[0])).toEqual(chosen);
}

interface SentLine {
  method: string;
  params: { ask?: string; option?: string; answers?: Record<string, string[]> };
}

/** What the agent was sent, line by line. */
async function sentLines(owner: DaemonClient, session: string): Promise<SentLine[]> {
  const lines: SentLine[] = [];
  for (let after = 0; ; ) {
    const path = `/v1/sessions/${session}/raw?limit=1000&after=${after}`;
    type Page = { raws: { rawSeq: number; direction: string; data: string }[]; hasMore: boolean };
    const { raws, hasMore } = await owner.call<Page>("GET", path);
    for (const { direction, data } of raws) if (direction === "out") lines.push(JSON.parse(data) as SentLine);
    if (!hasMore) return lines;
    after = raws.at(-1)!.rawSeq;
  }
}
