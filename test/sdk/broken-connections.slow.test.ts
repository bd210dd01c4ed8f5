/** What happens to the connection is not the business of who prompts: it settles, with each event once. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeEach, expect, test, vi } from "vitest";
import { checkLog } from "../../src/core/check-log.ts";
import { Interlingua, type SessionEvent, type StreamState } from "../../src/sdk/index.ts";
import { until } from "../../src/testkit/until.ts";
import { DaemonProcess } from "../crash/daemon-process.ts";
import { CuttingProxy } from "./cutting-proxy.ts";
import { expectPromptsInTurn } from "./prompts-in-turn.ts";

const directory = mkdtempSync(join(tmpdir(), "interlingua-sdk-"));
let daemon: DaemonProcess;
let proxy: CuttingProxy;

beforeEach(async () => {
  proxy = await CuttingProxy.start(() => Number(new URL(daemon.url).port));
  daemon = await startDaemon();
});

afterEach(async () => {
  await proxy.close();
  await daemon.kill();
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** It is called by the port of the proxy. */
function startDaemon(): Promise<DaemonProcess> {
  const environment = { INTERLINGUA_ALLOW_HOST: new URL(proxy.url).host };
  return DaemonProcess.start(directory, { environment });
}

function connect(): Promise<Interlingua> {
  return Interlingua.connect({ baseUrl: proxy.url, token: daemon.token });
}

function expectOnceEach(events: readonly SessionEvent[]): void {
  const seqs = events.map(({ seq }) => seq);
  expect(seqs).toEqual([...new Set(seqs)].sort((a, b) => a - b));
}

test("a daemon that is killed and started again in the middle of a turn", async () => {
  const client = await connect();
  const session = await client.sessions.create({ agent: "mock", options: { pace: 2 } });
  const states: string[] = [];
  const events: SessionEvent[] = [];
  const prompt = session.prompt("scenario:rich", { onState: ({ state }) => states.push(state) });
  let kill: Promise<void> | undefined;
  for await (const event of prompt) {
    events.push(event);
    if (event.type === "text.delta") kill ??= restart();
  }
  await kill;
  expectOnceEach(events);
  expect(events.at(-1)).toMatchObject({ type: "turn.ended" });
  expect(states).toContain("reconnecting");
});

async function restart(): Promise<void> {
  await daemon.kill();
  daemon = await startDaemon();
}

test("sockets that are cut again and again", async () => {
  const client = await connect();
  const session = await client.sessions.create({ agent: "mock", options: { pace: 1 } });
  const events: SessionEvent[] = [];
  let cuts = 0;
  for await (const event of session.prompt("scenario:burst:2000")) {
    events.push(event);
    if (events.length % 300 !== 0) continue;
    proxy.cut();
    cuts += 1;
  }
  expect(cuts).toBeGreaterThan(3);
  expectOnceEach(events);
  const log: SessionEvent[] = [];
  const all = session.events();
  for await (const event of all) {
    log.push(event);
    if (event.type === "turn.ended") break;
  }
  expect(checkLog(log as Parameters<typeof checkLog>[0])).toEqual([]);
  expect(events.map(({ seq }) => seq)).toEqual(
    log.map(({ seq }) => seq).filter((seq) => seq >= events[0]!.seq),
  );
});

test("a cut while the prompt is on its way gives it to the agent once", async () => {
  const client = await connect();
  const session = await client.sessions.create({ agent: "mock", options: { pace: 0 } });
  for (let round = 0; round < 10; round += 1) {
    proxy.delayMs = 5;
    const prompt = session.prompt(`scenario:echo round ${round}`);
    await sleep(round);
    proxy.cut();
    expect(await prompt.text()).toContain(`round ${round}`);
  }
  expect((await session.messages()).messages.filter(({ role }) => role === "user")).toHaveLength(10);
});

test("a proxy that delays and buffers", async () => {
  proxy.delayMs = 50;
  const client = await connect();
  const session = await client.sessions.create({ agent: "mock", options: { pace: 0 } });
  const events: SessionEvent[] = [];
  for await (const event of session.prompt("scenario:burst:500")) events.push(event);
  expectOnceEach(events);
  expect(events.at(-1)).toMatchObject({ type: "turn.ended", outcome: "completed" });
});

test("a clock that jumps by hours while every socket is dead", async () => {
  const client = await connect();
  const direct = await Interlingua.connect({ baseUrl: daemon.url, token: daemon.token });
  const session = await client.sessions.create({ id: "asleep", agent: "mock", options: { pace: 0 } });
  using clock = new JumpingClock();
  const events: SessionEvent[] = [];
  let states: string[] = [];
  const options = { unreachableMs: 60 * 60_000, onState: ({ state }: StreamState) => states.push(state) };
  const following = (async () => {
    for await (const event of session.events(options)) {
      events.push(event);
      if (event.type === "turn.ended") return;
    }
  })();
  const prompted: SessionEvent[] = [];
  const prompting = (async () => {
    for await (const event of session.prompt("scenario:approve", options)) prompted.push(event);
  })();
  const isAsked = ({ type }: SessionEvent) => type === "ask.opened";
  while (!events.some(isAsked) || !prompted.some(isAsked)) await clock.realPause(5);

  proxy.freeze();
  const [ask] = await direct.asks();
  await (await direct.sessions.get("asleep")).reply(ask!.ask, { reply: "once" });
  while ((await direct.sessions.get("asleep").then((one) => one.details())).status !== "idle")
    await clock.realPause(5);
  clock.jump(8 * 60 * 60_000);
  states = [];
  let isOver = false;
  const both = Promise.all([following, prompting]).finally(() => (isOver = true));
  both.catch(() => {});
  // Connections that were kept for later are dead too: each is given up in its turn.
  while (!isOver) {
    await clock.advance(50_000);
    for (let waits = 0; waits < 200 && !isOver; waits += 1) await clock.realPause(10);
  }
  await both;
  expect(states).toContain("reconnecting");
  expectOnceEach(events);
  expectOnceEach(prompted);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  expect(prompted).toEqual(events.slice(-prompted.length));
});

test("a cut after a quiet time that is longer than a daemon is waited for", async () => {
  const client = await connect();
  const direct = await Interlingua.connect({ baseUrl: daemon.url, token: daemon.token });
  const session = await client.sessions.create({ id: "quiet", agent: "mock", options: { pace: 0 } });
  using clock = new JumpingClock();
  const events: SessionEvent[] = [];
  const states: string[] = [];
  const following = (async () => {
    for await (const event of session.events({ onState: ({ state }) => states.push(state) })) {
      events.push(event);
      if (event.type === "turn.ended") return;
    }
  })();
  following.catch(() => states.push("given up"));
  while (events.length === 0) await clock.realPause(5);
  clock.jump(10 * 60_000);
  proxy.cut();
  while (!states.includes("reconnecting") && !states.includes("given up")) await clock.realPause(5);
  await clock.advance(5_000);
  await (await direct.sessions.get("quiet")).prompt("scenario:text").text();
  await following;
  expectOnceEach(events);
  expect(events[0]?.seq).toBe(1);
});

/** The clock of this process: it stands still unless it is moved. */
class JumpingClock implements Disposable {
  readonly #setTimeout = globalThis.setTimeout;
  readonly #now = performance.now.bind(performance);
  readonly #performance: { mockRestore(): void };
  #offset = 0;

  constructor() {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
    this.#performance = vi.spyOn(performance, "now").mockImplementation(() => this.#now() + this.#offset);
  }

  realPause(ms: number): Promise<void> {
    return new Promise((done) => void this.#setTimeout(done, ms));
  }

  /** As after the machine slept: it is later, and no timer has fired. */
  jump(ms: number): void {
    this.#offset += ms;
    vi.setSystemTime(Date.now() + ms);
  }

  /** Timers fire. */
  async advance(ms: number): Promise<void> {
    this.#offset += ms;
    await vi.advanceTimersByTimeAsync(ms);
  }

  [Symbol.dispose](): void {
    this.#performance.mockRestore();
    vi.useRealTimers();
  }
}

test("a hundred prompts one after the other", async () => {
  await expectPromptsInTurn(await connect(), 100);
});

test("nobody answers for too long", async () => {
  const client = await connect();
  const session = await client.sessions.create({ agent: "mock" });
  await daemon.kill();
  const prompt = session.prompt("scenario:text", { unreachableMs: 300 });
  expect(await prompt.text().catch((error) => error)).toMatchObject({ code: "unreachable" });
});

test("a prompt that waits for an answer outlives a restart", async () => {
  const client = await connect();
  const session = await client.sessions.create({ agent: "mock", options: { pace: 0 } });
  const prompt = session.prompt("scenario:approve");
  const seen: string[] = [];
  for await (const event of prompt) {
    seen.push(event.type);
    if (event.type === "ask.opened") await restart();
  }
  // The agent died with the daemon, so nobody waits for the answer any more.
  expect(seen).toContain("ask.closed");
  expect(seen.at(-1)).toBe("turn.ended");
});

test("two programs that answer the same ask", async () => {
  const [one, two] = [await connect(), await connect()];
  const session = await one.sessions.create({ id: "shared", agent: "mock", options: { pace: 0 } });
  const prompt = session.prompt("scenario:approve");
  await until(async () => (await one.asks()).some(({ session }) => session === "shared"));
  const [ask] = await session.asks();
  const other = await two.sessions.get("shared");
  const answers = await Promise.allSettled([
    session.reply(ask!.ask, { reply: "once" }),
    other.reply(ask!.ask, { reply: "reject" }),
  ]);
  expect(answers.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  const refused = answers.find((answer) => answer.status === "rejected");
  expect(refused?.reason.code).toMatch(/^ask_(answered|closed)$/);
  await prompt.text();
});

test("the daemon of a program that was killed ends with it", async () => {
  const data = join(directory, "own");
  const script = `
    import { Interlingua } from ${JSON.stringify(new URL("../../src/sdk/index.ts", import.meta.url).href)};
    const client = await Interlingua.start({ data: ${JSON.stringify(data)}, root: ${JSON.stringify(directory)} });
    console.log(client.baseUrl);
    setInterval(() => {}, 1000);`;
  const program = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = await new Promise<string>((done) => {
    program.stdout.once("data", (text) => done(String(text).trim()));
  });
  expect((await fetch(`${url}/v1/health`)).ok).toBe(true);
  program.kill("SIGKILL");
  await until(() =>
    fetch(`${url}/v1/health`).then(
      () => false,
      () => true,
    ),
  );
});

test("a feed whose connection is cut goes on where it was, without another snapshot", async () => {
  const client = await connect();
  const leaving = new AbortController();
  const seen: string[] = [];
  let isCut = false;
  for await (const frame of client.feed({ signal: leaving.signal })) {
    seen.push(frame.type === "session" ? frame.session : frame.type);
    if (frame.type === "snapshot") await client.sessions.create({ id: "before", agent: "mock" });
    if (frame.type === "session" && frame.session === "before" && !isCut) {
      isCut = true;
      proxy.cut();
      const direct = await Interlingua.connect({ baseUrl: daemon.url, token: daemon.token });
      await direct.sessions.create({ id: "meanwhile", agent: "mock" });
    }
    if (frame.type === "session" && frame.session === "meanwhile") leaving.abort();
  }
  expect(new Set(seen)).toEqual(new Set(["snapshot", "before", "meanwhile"]));
  expect(seen.filter((each) => each === "snapshot")).toHaveLength(1);
});
