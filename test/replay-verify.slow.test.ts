/** What the daemon wrote live, made again from its raw records: over every scenario of the mock, and what people do. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SCENARIOS } from "../src/agents/mock/program/scenarios/index.ts";
import { openReplaySource } from "../src/cli/replay/replay-source.ts";
import { verifyReplay } from "../src/cli/replay/verify-replay.ts";
import { checkLog } from "../src/core/check-log.ts";
import type { EventOf, EventType, SessionEvent } from "../src/core/event.ts";
import { type Daemon, type DaemonOptions, startDaemon } from "../src/daemon.ts";
import { until } from "../src/testkit/until.ts";

let directory: string;
let daemon: Daemon;

beforeAll(async () => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), "interlingua-replay-")));
  daemon = await start();
});

afterAll(async () => {
  await daemon.close();
  rmSync(directory, { recursive: true });
});

function start(limits: DaemonOptions["limits"] = {}): Promise<Daemon> {
  return startDaemon({
    data: join(directory, "data"),
    roots: [directory],
    cwd: directory,
    port: 0,
    // Tests start the mock often.
    environment: { ...process.env, NODE_COMPILE_CACHE: resolve("node_modules/.cache/node-compile-cache") },
    // Long enough for an agent on a busy machine; one scenario does not stop at all.
    limits: { stopGraceMs: 3000, ...limits },
  });
}

async function call<Answer>(method: string, path: string, body?: object): Promise<Answer> {
  const response = await fetch(`${daemon.url}/v1/sessions${path}`, {
    method,
    headers: { authorization: `Bearer ${daemon.token}`, "content-type": "application/json" },
    body: body && JSON.stringify(body),
  });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as Answer;
}

class Session {
  readonly id: string;

  constructor(id: string) {
    this.id = id;
  }

  static async create(id: string, more: object = {}): Promise<Session> {
    await call("POST", "", { id, agent: "mock", options: { pace: 0 }, ...more });
    return new Session(id);
  }

  prompt(text: string, more: object = {}): Promise<{ message: string }> {
    return call("POST", `/${this.id}/messages`, { text, ...more });
  }

  do(method: string, path: string, body: object = {}): Promise<unknown> {
    return call(method, `/${this.id}${path}`, body);
  }

  async events(): Promise<SessionEvent[]> {
    const events: SessionEvent[] = [];
    for (let hasMore = true; hasMore; ) {
      const after = events.length;
      const page = await call<{ events: SessionEvent[]; hasMore: boolean }>(
        "GET",
        `/${this.id}/events?limit=1000&after=${after}`,
      );
      events.push(...page.events);
      hasMore = page.hasMore;
    }
    return events;
  }

  async of<Type extends EventType>(type: Type): Promise<EventOf<Type>[]> {
    return (await this.events()).filter((event): event is EventOf<Type> => event.type === type);
  }

  async untilSome(type: EventType, count = 1): Promise<void> {
    await until(async () => (await this.of(type)).length >= count);
  }

  /** Answers every ask until as many turns have ended. */
  async finish(turns: number, reply: object = { reply: "once" }): Promise<void> {
    const answered = new Set<string>();
    await until(async () => {
      for (const { ask, kind } of await this.of("ask.opened")) {
        if (answered.has(ask)) continue;
        answered.add(ask);
        const isQuestion = kind === "question" && "reply" in reply && reply.reply === "once";
        await this.do("POST", `/asks/${ask}/reply`, isQuestion ? { answers: { q1: ["Green"] } } : reply);
      }
      return (await this.of("turn.ended")).length >= turns;
    });
  }

  async verify(): Promise<void> {
    const values: Record<string, string> = { url: daemon.url };
    const source = await openReplaySource({
      positionals: [this.id],
      flags: { values, text: (name) => values[name], on: () => false },
      environment: { INTERLINGUA_TOKEN: daemon.token },
      cwd: directory,
    });
    expect((await verifyReplay(source)).difference).toBeUndefined();
  }
}

/** Those that have to be stopped, and those that go on by themselves. */
const STOPPED = ["hang", "hang-deaf"];
const TURNS: Readonly<Record<string, number>> = { background: 2, late: 2 };

describe("every scenario of the mock", () => {
  it.concurrent.each(SCENARIOS.map(({ name }) => name))("%s", async (name) => {
    const session = await Session.create(`scenario-${name}`);
    // Two megabytes are as much too long as twenty.
    await session.prompt(`scenario:${name === "huge" ? "huge:2" : name}`);
    if (STOPPED.includes(name)) {
      await session.untilSome("text.delta");
      await session.do("POST", "/interrupt");
    }
    await session.finish(TURNS[name] ?? 1);
    expect(checkLog(await session.events())).toEqual([]);
    await session.verify();
  });
});

describe("what people do", () => {
  it("the default turn, allowed", async () => {
    const session = await Session.create("default");
    await session.prompt("hello");
    await session.finish(1);
    await session.verify();
  });

  it.each(["approve", "approve-two", "approve-ownstep", "question", "plan"])("a no to %s", async (name) => {
    const session = await Session.create(`no-${name}`);
    await session.prompt(`scenario:${name}`);
    await session.finish(1, { reply: "reject", message: "not now" });
    await session.verify();
  });

  it("a stop in the middle of a stream, and of an ask", async () => {
    const session = await Session.create("stopped", { options: { pace: 1 } });
    await session.prompt("scenario:long");
    await session.untilSome("text.delta", 5);
    await session.do("POST", "/interrupt");
    await session.untilSome("turn.ended");
    await session.prompt("scenario:approve-two");
    await session.untilSome("ask.opened", 2);
    await session.do("POST", "/interrupt");
    await session.untilSome("turn.ended", 2);
    await session.verify();
  });

  it("prompts that wait, are changed, are taken back, and that steer", async () => {
    const session = await Session.create("queue", { options: { pace: 1 } });
    await session.prompt("scenario:long");
    await session.untilSome("text.delta", 3);
    const files = [{ type: "file", url: "data:text/plain,hi", mediaType: "text/plain", filename: "a.txt" }];
    const parts = [{ type: "text", text: "scenario:text" }, ...files, { type: "text", text: "and more" }];
    await session.prompt("one", { text: undefined, parts });
    const second = await session.prompt("scenario:text two");
    const third = await session.prompt("scenario:text three");
    await session.do("PATCH", `/queue/${second.message}`, { text: "scenario:text changed" });
    await call("DELETE", `/${session.id}/queue/${third.message}`).catch(() => undefined);
    await session.prompt("go left", { whenBusy: "steer" });
    await session.untilSome("turn.ended", 3);
    await session.verify();
  });

  it("settings while an agent runs and while none does, and a rewind", async () => {
    const session = await Session.create("settings");
    await session.do("PATCH", "", { model: "mock-small", title: "before" });
    const { message } = await session.prompt("scenario:text one");
    await session.untilSome("turn.ended");
    await session.do("PATCH", "", { model: "mock-large", permissionMode: "bypass", title: "after" });
    await session.prompt("scenario:approve");
    await session.untilSome("turn.ended", 2);
    await session.do("POST", "/rewind", { before: message });
    await session.prompt("scenario:recall", { id: message });
    await session.untilSome("turn.ended", 3);
    await session.verify();
  });

  it("what a person looks at, and the settings of one prompt", async () => {
    const session = await Session.create("context", { settings: { effort: "high" } });
    const context = { type: "context", path: join(directory, "a.ts"), language: "ts", content: "let a;\n" };
    const parts = [
      { type: "text", text: "scenario:echo this" },
      { ...context, selection: { start: 1, end: 1 } },
    ];
    await call("POST", "/context/messages", { parts, settings: { effort: "low" } });
    await session.finish(1);
    await call("POST", "/context/messages", { parts: [parts[0], context, { type: "text", text: "Why?" }] });
    await session.finish(2);
    expect((await session.of("prompt.accepted"))[0]).toMatchObject({ parts, settings: { effort: "low" } });
    await session.verify();
  });

  it("a turn that is still running, and a session that is closed", async () => {
    const session = await Session.create("running", { options: { pace: 1 } });
    await session.prompt("scenario:long");
    await session.untilSome("text.delta", 3);
    await session.verify();
    await session.do("PATCH", "", { status: "closed" });
    await session.verify();
  });

  it("secrets", async () => {
    const session = await Session.create("secret", { env: { MOCK_SECRET: "correct horse battery" } });
    await session.prompt("scenario:env:MOCK_SECRET say correct horse battery");
    await session.untilSome("turn.ended");
    await session.verify();
  });

  it("an agent that could not be started", async () => {
    const session = await Session.create("absent", { options: { pace: 1000 } });
    await session.prompt("scenario:text");
    await session.untilSome("turn.ended");
    await session.verify();
  });
});

describe("what the daemon does", () => {
  it("declines an ask nobody answers, and is restarted in the middle of a turn", async () => {
    await daemon.close();
    daemon = await start({ askTimeoutMs: 200, idleDetachMs: 300 });
    const session = await Session.create("expired");
    await session.prompt("scenario:approve");
    await session.untilSome("turn.ended");
    await session.untilSome("session.detached");
    await session.verify();
    const said = (await session.of("text.delta")).length;
    await session.prompt("scenario:hang");
    await session.untilSome("text.delta", said + 1);
    await daemon.close();
    daemon = await start();
    await session.prompt("scenario:recall");
    await session.untilSome("turn.ended", 3);
    await session.verify();
  });
});
