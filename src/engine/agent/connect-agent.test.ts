import { randomUUID } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { agentContext } from "../../agents/agent-context.test-support.ts";
import { protocol } from "../../agents/mock/protocol.ts";
import type { ConnectOptions } from "../../core/adapter.ts";
import { checkLog } from "../../core/check-log.ts";
import { InterlinguaError } from "../../core/error.ts";
import type { EventOf, SessionEvent } from "../../core/event.ts";
import type { Store } from "../../core/store.ts";
import { createProcessHost } from "../../process/local-process-host.ts";
import type { ProcessHost } from "../../process/process-host.ts";
import { openStore } from "../../store/open-store.ts";
import { TESTER } from "../../testkit/tester.ts";
import { until } from "../../testkit/until.ts";
import { createEngine } from "../create-engine.ts";
import type { Engine } from "../engine.ts";

/** The mock with an earlier conversation, whose agent has gone. */
class Absence {
  readonly conversations: string;
  /** What the connections were asked for. */
  readonly attempts: ConnectOptions[] = [];
  /** What the next connections fail with, some only when they are no longer waited for. */
  readonly failures: (Error | "hangs")[] = [];
  readonly #processHost: ProcessHost;
  #engine!: Engine;
  #store!: Store;

  constructor(processHost: ProcessHost, conversations: string) {
    this.#processHost = processHost;
    this.conversations = conversations;
  }

  async begin(): Promise<void> {
    this.#store = await openStore(":memory:");
    await this.startEngine();
    await this.#engine.run(
      "createSession",
      { id: "s", agent: "mock", cwd: tmpdir(), options: { pace: 0 } },
      TESTER,
    );
    await this.ask("scenario:text kestrel");
    await until(async () => (await this.of("session.detached")).length === 1);
    this.attempts.length = 0;
  }

  /** On what an earlier engine has stored. */
  async startEngine(): Promise<void> {
    const mock = protocol.createAdapter({
      ...agentContext(this.#processHost, this.conversations),
      environment: () => ({}),
      directory: () => this.conversations,
    });
    const connect = (options: ConnectOptions) => {
      this.attempts.push(options);
      const failure = this.failures.shift();
      if (failure === "hangs") return new Promise<never>(() => {});
      return failure ? Promise.reject(failure) : mock.connect(options);
    };
    const store = this.#store;
    const agents = new Map([["mock", { ...mock, connect }]]);
    this.#engine = await createEngine({ store, agents, limits: { idleDetachMs: 1 } });
  }

  stopEngine(): Promise<void> {
    return this.#engine.close();
  }

  interrupt(): Promise<unknown> {
    return this.#engine.run("interrupt", { session: "s" }, TESTER).then(({ interrupted }) => interrupted);
  }

  async #events(): Promise<SessionEvent[]> {
    return (await this.#store.readEvents("s", 0, 10_000)).events.map(({ json }) => JSON.parse(json));
  }

  async of<Type extends SessionEvent["type"]>(type: Type): Promise<EventOf<Type>[]> {
    return (await this.#events()).filter((event): event is EventOf<Type> => event.type === type);
  }

  /** Gives the end of the turn and what was said in it. */
  async ask(text: string): Promise<{ ended: EventOf<"turn.ended">; said: string }> {
    const { message } = await this.#engine.run(
      "prompt",
      { session: "s", parts: [{ type: "text", text }], whenBusy: "queue" },
      TESTER,
    );
    const turn = async () =>
      (await this.of("prompt.dispatched")).find((event) => event.message === message)?.turn;
    const end = async () => {
      const id = await turn();
      return id === undefined ? undefined : (await this.of("turn.ended")).find((event) => event.turn === id);
    };
    await until(async () => (await end()) !== undefined);
    const ended = (await end())!;
    const said = (await this.of("text.delta")).filter((event) => event.turn === ended.turn);
    return { ended, said: said.map(({ delta }) => delta).join("") };
  }

  async close(): Promise<void> {
    await this.#engine.close();
    expect(checkLog(await this.#events())).toEqual([]);
  }
}

let directory: string;
let processHost: ProcessHost;
let absence: Absence;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "interlingua-attach-"));
  processHost = createProcessHost({ daemonId: `attach-${randomUUID()}`, environment: process.env });
  absence = new Absence(processHost, directory);
  await absence.begin();
});

afterEach(async () => {
  await absence.close();
  await processHost.close();
  rmSync(directory, { recursive: true });
});

const passing = () =>
  new InterlinguaError("agent_failed", "Another one has this conversation open.", {
    keepsConversation: true,
  });
const refused = () => new InterlinguaError("agent_failed", "Query closed before response received.");

it("a conversation is taken up though its agent failed to start once", async () => {
  absence.failures.push(new Error("it crashed"));
  expect((await absence.ask("scenario:recall")).said).toContain("kestrel");
  expect(await absence.of("notice")).toEqual([]);
});

it("a conversation that cannot be taken up now is kept, and the next prompt takes it up", async () => {
  absence.failures.push(passing(), passing());
  const { ended } = await absence.ask("scenario:text lost?");
  expect(ended).toMatchObject({
    outcome: "failed",
    error: {
      code: "agent_failed",
      message:
        "Another one has this conversation open. The conversation is kept: the next prompt tries to take it up.",
    },
  });
  expect(absence.attempts.map(({ resume }) => resume)).toEqual([true, true]);

  expect((await absence.ask("scenario:recall")).said).toContain("kestrel");
  expect(await absence.of("notice")).toEqual([]);
  const ids = (await absence.of("session.attached")).map(({ agentSessionId }) => agentSessionId);
  expect(ids).toEqual([ids[0], ids[0]]);
});

it("an agent that cannot be used is not asked twice, and its conversation is kept", async () => {
  absence.failures.push(new InterlinguaError("agent_not_signed_in", "Nobody is signed in. Sign in."));
  const { ended } = await absence.ask("scenario:text hello");
  expect(ended.error).toEqual({ code: "agent_not_signed_in", message: "Nobody is signed in. Sign in." });
  expect(absence.attempts).toHaveLength(1);
  expect((await absence.ask("scenario:recall")).said).toContain("kestrel");
});

it("a conversation the agent no longer has is begun anew, and the log says so", async () => {
  for (const name of readdirSync(directory)) rmSync(join(directory, name));
  const { ended, said } = await absence.ask("scenario:recall");
  expect(ended.outcome).toBe("completed");
  expect(said).not.toContain("kestrel");
  expect(absence.attempts.map(({ resume }) => resume)).toEqual([true, undefined]);
  expect(await absence.of("notice")).toMatchObject([
    { level: "warning", code: "resume", text: expect.stringContaining("There is no conversation") },
  ]);
});

describe("a resume that is refused with an unexpected error", () => {
  it("fails the first prompt with what to do, and the second one continues with a written account", async () => {
    absence.failures.push(refused(), refused(), refused(), refused());
    const first = await absence.ask("scenario:text lost?");
    expect(first.ended.error).toEqual({
      code: "resume_failed",
      message:
        "Query closed before response received. Send the prompt again: if the agent cannot resume the conversation then either, it begins a new one with a written account of this one.",
    });
    expect(await absence.of("notice")).toEqual([]);

    const second = await absence.ask("scenario:recall");
    expect(second.ended.outcome).toBe("completed");
    expect(absence.attempts.map(({ resume }) => resume)).toEqual([true, true, true, true, undefined]);
    const [notice] = await absence.of("notice");
    expect(notice).toMatchObject({ level: "warning", code: "resume" });
    expect(notice!.text).toBe(
      "The agent does not remember the conversation so far: it could not be resumed for 2 prompts in a row. Query closed before response received. It gets a written account of the conversation so far with the next prompt.",
    );

    // The new conversation is resumed like any other.
    expect((await absence.ask("scenario:text after")).ended.outcome).toBe("completed");
    expect(absence.attempts.at(-1)).not.toHaveProperty("resume", undefined);
    const ids = (await absence.of("session.attached")).map(({ agentSessionId }) => agentSessionId);
    expect(new Set(ids).size).toBe(2);
    expect(ids.at(-1)).not.toBe(ids[0]);
  });

  it("is counted across a restart of the daemon", async () => {
    absence.failures.push(refused(), refused(), refused(), refused());
    expect((await absence.ask("scenario:text lost?")).ended.error?.code).toBe("resume_failed");
    await absence.stopEngine();
    await absence.startEngine();
    expect((await absence.ask("scenario:text again")).ended.outcome).toBe("completed");
  });

  it("does not cost a prompt that waits behind the first", async () => {
    absence.failures.push(refused(), refused(), refused(), refused());
    const [first, second] = await Promise.all([
      absence.ask("scenario:text one"),
      absence.ask("scenario:text two"),
    ]);
    expect([first.ended.outcome, second.ended.outcome]).toEqual(["failed", "completed"]);
    expect(second.said).not.toBe("");
  });

  it("is not counted together with one that a resume lies between", async () => {
    absence.failures.push(refused(), refused());
    expect((await absence.ask("scenario:text lost?")).ended.error?.code).toBe("resume_failed");
    expect((await absence.ask("scenario:recall")).said).toContain("kestrel");
    await until(async () => (await absence.of("session.detached")).length === 2);
    absence.failures.push(refused(), refused());
    expect((await absence.ask("scenario:text lost?")).ended.error?.code).toBe("resume_failed");
    expect((await absence.ask("scenario:recall")).said).toContain("kestrel");
    expect(await absence.of("notice")).toEqual([]);
  });

  it("keeps the conversation however often the reason lies elsewhere", async () => {
    for (let times = 0; times < 3; times += 1) {
      absence.failures.push(passing(), passing());
      expect((await absence.ask("scenario:text hello")).ended.error?.code).toBe("agent_failed");
    }
    expect((await absence.ask("scenario:recall")).said).toContain("kestrel");
  });

  it("can be interrupted while the agent is asked once more", async () => {
    absence.failures.push(refused(), refused(), "hangs");
    expect((await absence.ask("scenario:text lost?")).ended.error?.code).toBe("resume_failed");
    const asking = absence.ask("scenario:text again");
    await until(async () => absence.attempts.length === 3);
    await absence.interrupt();
    expect((await asking).ended).toMatchObject({ outcome: "interrupted" });
    expect(await absence.of("notice")).toEqual([]);
  });
});
