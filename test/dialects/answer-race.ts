/**
 * Two people answer one ask at the same moment, each through another dialect. One of them decides, the other is told who did,
 * and the agent gets one answer.
 */
import { expect } from "vitest";
import { checkLog } from "../../src/core/check-log.ts";
import type { EventOf, SessionEvent } from "../../src/core/event.ts";
import type { UIMessage } from "../../src/dialects/ai-sdk/ui-message.ts";
import { isToolPart } from "../../src/dialects/ai-sdk/ui-message.ts";
import type { Random } from "../../src/testkit/random.ts";
import { DaemonClient, dataLines } from "../daemon-client.ts";

export interface RaceOptions {
  daemon: { url: string; token: string };
  /** Sessions that go on at the same time. */
  sessions: number;
  /** Asks in each. */
  rounds: number;
  random: Random;
}

type Ask = EventOf<"ask.opened">;

/** Somebody with a token of their own. */
interface Person {
  readonly name: string;
  readonly client: DaemonClient;
}

/** Undefined for whoever decided; else who did, as they are told. */
type Told = string | undefined;

/** Ready to send an answer that allows or declines. */
type Answer = () => Promise<Told>;

/** Readies an answer of a person to an open ask. */
type Dialect = (person: Person, ask: Ask, isAllowed: boolean) => Promise<Answer>;

const FIRST = /^(.*) answered first; their answer stands\.$/;

const v1: Dialect = async ({ client }, { session, ask, kind }, isAllowed) => {
  const path = `/v1/sessions/${session}/asks/${ask}/reply`;
  const words = isAllowed ? "Green" : "Blue";
  const body = kind === "question" ? { answers: { q1: [words] } } : { reply: isAllowed ? "once" : "reject" };
  return async () => {
    const response = await client.request("POST", path, body);
    if (response.ok) return void (await response.text());
    const problem = (await response.json()) as { code: string; detail: string; answer: { by: string } };
    expect([response.status, problem.code]).toEqual([409, "ask_answered"]);
    expect(FIRST.exec(problem.detail)?.[1]).toBe(problem.answer.by);
    return problem.answer.by;
  };
};

/** As a stock client does it: the message with the answer in its part. */
const chat: Dialect = async ({ client }, { session, ask, kind }, isAllowed) => {
  const { messages } = await client.call<{ messages: UIMessage[] }>("GET", `/api/chat/${session}/messages`);
  const message = messages.at(-1)!;
  const part = message.parts.find(
    (one) => isToolPart(one) && (one.approval?.id === ask || one.toolCallId.endsWith(ask)),
  );
  if (part === undefined || !isToolPart(part)) throw new Error(`the message does not show ${ask}`);
  const answered =
    kind === "question"
      ? { state: "output-available", output: { q1: [isAllowed ? "Green" : "Blue"] } }
      : { state: "approval-responded", approval: { id: ask, approved: isAllowed } };
  Object.assign(part, answered);
  return async () => {
    const response = await client.request("POST", "/api/chat", { id: session, message });
    const text = await response.text();
    if (response.ok) return void expect(text).toContain("[DONE]");
    expect([response.status, response.headers.get("x-interlingua-error")]).toEqual([409, "ask_answered"]);
    return FIRST.exec(text)![1];
  };
};

/** Only questions, and by the words of an option. */
const agentSmithy: Dialect = async ({ client }, { session }, isAllowed) => {
  const { dialogs } = await client.call<{ dialogs: { id: string; title?: string }[] }>(
    "GET",
    "/agentsmithy/api/dialogs?limit=500",
  );
  const dialog = dialogs.find(({ title }) => title === session)!.id;
  const messages = [{ role: "user", content: isAllowed ? "Green" : "Blue" }];
  return async () => {
    const response = await client.request("POST", "/agentsmithy/api/chat", { dialog_id: dialog, messages });
    const text = await response.text();
    if (response.ok) return void expect(text).toContain('"type":"done"');
    expect(response.status).toBe(409);
    return FIRST.exec(JSON.parse(text).detail)![1];
  };
};

/** Who can answer what. */
export const DIALECTS_OF_KIND: Readonly<Record<"permission" | "question", readonly [string, Dialect][]>> = {
  permission: [
    ["v1", v1],
    ["chat", chat],
  ],
  question: [
    ["v1", v1],
    ["chat", chat],
    ["agentsmithy", agentSmithy],
  ],
};

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
    const about = { id: session, title: session, agent: "mock", options: { pace: 0 }, checkpoints: "off" };
    await owner.call("POST", "/v1/sessions", about);
    const watcher = new Watcher(owner, session);
    for (let round = 0; round < rounds; round += 1) {
      await owner.prompt(session, kind === "question" ? "scenario:question" : "scenario:approve");
      const ask = await watcher.next("ask.opened");
      const [first, second] = pair(DIALECTS_OF_KIND[kind], random);
      const isFirstAllowed = random.chance(0.5);
      const answers = await Promise.all([
        first[1](people[0]!, ask, isFirstAllowed),
        second[1](people[1]!, ask, !isFirstAllowed),
      ]);
      const order = random.chance(0.5) ? [0, 1] : [1, 0];
      const told: Told[] = [];
      await Promise.all(order.map(async (index) => (told[index] = await answers[index]!())));
      await watcher.next("turn.ended");
      const winner = told.indexOf(undefined);
      expect(told, "one decides, the other is told who").toEqual(
        winner === 0 ? [undefined, "anna"] : ["ben", undefined],
      );
      const name = [first, second][winner]![0];
      wins.set(name, (wins.get(name) ?? 0) + 1);
    }
    watcher.close();
    await expectOneAnswerEach(owner, session, rounds);
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
async function expectOneAnswerEach(owner: DaemonClient, session: string, rounds: number): Promise<void> {
  const log = (await owner.events(session)).map((line) => JSON.parse(line) as SessionEvent);
  expect(checkLog(log)).toEqual([]);
  const opened = log.filter((event) => event.type === "ask.opened");
  const answered = log.filter((event) => event.type === "ask.answered");
  expect(opened).toHaveLength(rounds);
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

/** Waits for events of a session, each given once. */
class Watcher {
  readonly #reading = new AbortController();
  readonly #waiting = new Map<string, ((event: never) => void)[]>();
  readonly #seen = new Map<string, SessionEvent[]>();

  constructor(client: DaemonClient, session: string) {
    const path = `/v1/sessions/${session}/events/sse`;
    void client
      .request("GET", path, undefined, this.#reading.signal)
      .then(async (response) => {
        for await (const line of dataLines(response)) this.#add(JSON.parse(line) as SessionEvent);
      })
      .catch(() => {});
  }

  next<Type extends SessionEvent["type"]>(type: Type): Promise<EventOf<Type>> {
    const seen = this.#seen.get(type)?.shift();
    if (seen) return Promise.resolve(seen as EventOf<Type>);
    return new Promise((resolve) => {
      this.#waiting.set(type, [...(this.#waiting.get(type) ?? []), resolve as (event: never) => void]);
    });
  }

  close(): void {
    this.#reading.abort();
  }

  #add(event: SessionEvent): void {
    const waiting = this.#waiting.get(event.type)?.shift();
    if (waiting) waiting(event as never);
    else this.#seen.set(event.type, [...(this.#seen.get(event.type) ?? []), event]);
  }
}
