/** A session of the guide's port with an agent: what it yields is validated, kept, and made into a log again. */
import assert from "node:assert/strict";
import type { BackendAdapter } from "../../../core/adapter.ts";
import { checkLog } from "../../../core/check-log.ts";
import type { Draft } from "../../../core/draft.ts";
import type { EventOf, EventType, SessionEvent } from "../../../core/event.ts";
import { SessionMachine } from "../../../core/session-machine.ts";
import { emptyState } from "../../../core/session-state.ts";
import { checkUnifiedMessage } from "../../../unified/check-unified-message.ts";
import { createUnifiedMessage } from "../../../unified/create-unified-message.ts";
import { createUnifiedReader } from "../../../unified/create-unified-reader.ts";
import { toUnifiedAdapter, type UnifiedAgentAdapter } from "../../../unified/to-unified-adapter.ts";
import type { UnifiedAgentSession } from "../../../unified/to-unified-session.ts";
import type { UnifiedConnectOptions } from "../../../unified/unified-adapter.ts";
import { MESSAGE_ROLES, type UnifiedMessage } from "../../../unified/unified-message.ts";
import type { SessionRun } from "../../session-run.ts";
import { until } from "../../until.ts";
import type { AdapterContract } from "../adapter-contract.ts";
import { newSessionId } from "../with-run.ts";

/** What the agents of an adapter's sessions said in their own words, by session: a scenario may look for it there. */
const said = new WeakMap<UnifiedAgentAdapter, Map<string, Draft[]>>();

export async function createUnified(contract: AdapterContract): Promise<UnifiedAgentAdapter> {
  const drafts = new Map<string, Draft[]>();
  const observed = observe(await contract.createAdapter(), drafts);
  const adapter = toUnifiedAdapter(observed, { connect: contract.connectOptions() });
  said.set(adapter, drafts);
  return adapter;
}

function observe(adapter: BackendAdapter, drafts: Map<string, Draft[]>): BackendAdapter {
  const { name, capabilities, environmentKeys } = adapter;
  return {
    name,
    capabilities,
    environmentKeys,
    probe: () => adapter.probe(),
    release: (sessionId) => adapter.release(sessionId),
    async connect(options) {
      const session = await adapter.connect(options);
      const { messages } = session;
      const heard: Draft[] = [];
      drafts.set(options.sessionId, heard);
      async function* observing() {
        for await (const output of messages) {
          heard.push(...output.drafts);
          yield output;
        }
      }
      return Object.defineProperty(session, "messages", { value: observing() });
    },
  };
}

export async function openUnified(
  contract: AdapterContract,
  adapter: UnifiedAgentAdapter,
  options: Partial<UnifiedConnectOptions> = {},
): Promise<UnifiedRun> {
  const session = await adapter.connect({ sessionId: newSessionId(), ...options });
  const drafts = said.get(adapter)?.get(session.sessionId) ?? [];
  return new UnifiedRun(session, drafts, contract.deadlineMs ?? 30_000);
}

/** Opens a session, acts and closes it. */
export async function withUnified(
  contract: AdapterContract,
  act: (run: UnifiedRun) => Promise<void>,
  options: Partial<UnifiedConnectOptions> = {},
): Promise<void> {
  const run = await openUnified(contract, await createUnified(contract), options);
  try {
    await act(run);
  } finally {
    await run.session.close();
  }
  await run.over;
  assert.deepEqual(
    checkLog(run.events, { complete: true }),
    [],
    "the messages tell no well-formed conversation",
  );
}

export class UnifiedRun {
  readonly session: UnifiedAgentSession;
  readonly messages: UnifiedMessage[] = [];
  readonly events: SessionEvent[] = [];
  /** Resolves when the messages have ended. */
  readonly over: Promise<void>;
  readonly #drafts: readonly Draft[];
  readonly #deadlineMs: number;
  readonly #reader = createUnifiedReader();
  readonly #machine: SessionMachine;
  #count = 0;
  #hasEnded = false;

  constructor(session: UnifiedAgentSession, drafts: readonly Draft[], deadlineMs: number) {
    this.session = session;
    this.#drafts = drafts;
    this.#deadlineMs = deadlineMs;
    const messageId = () => {
      this.#count += 1;
      return `message-${this.#count}`;
    };
    this.#machine = new SessionMachine(emptyState(session.sessionId), { now: Date.now, messageId });
    this.#machine.create({ agent: "unified", cwd: "/" });
    this.over = this.#read().finally(() => {
      this.#hasEnded = true;
    });
    this.over.catch(() => {});
  }

  /** What scenarios look at, as far as messages tell it. */
  get view(): SessionRun {
    const of = <Type extends EventType>(type: Type) =>
      this.events.filter((event): event is EventOf<Type> => event.type === type);
    const text = of("text.delta")
      .filter((event) => event.turn !== undefined && event.parent === undefined)
      .map(({ delta }) => delta)
      .join("");
    return { events: this.events, of, text, drafts: this.#drafts, outputs: [] } as unknown as SessionRun;
  }

  of(type: UnifiedMessage["type"]): UnifiedMessage[] {
    return this.messages.filter((message) => message.type === type);
  }

  /** Sends a prompt and gives its message. */
  prompt(text: string): UnifiedMessage {
    const message = createUnifiedMessage({
      type: "user_message",
      role: "user",
      content: [{ type: "text", text }],
      metadata: { session_id: this.session.sessionId },
    });
    this.#act(() => {
      this.#machine.acceptPrompt(message.id, [{ type: "text", text }], "queue");
      this.#machine.dispatch(message.id);
    });
    this.session.send(message);
    return message;
  }

  /** Sends a prompt and gives the result of its turn. */
  async turn(text: string): Promise<UnifiedMessage> {
    const { id } = this.prompt(text);
    const isResult = (message: UnifiedMessage) =>
      message.type === "result" && message.metadata.inResponseTo === id;
    await this.until(() => this.messages.some(isResult));
    return this.messages.find(isResult)!;
  }

  async until(holds: () => boolean): Promise<void> {
    const last = () => JSON.stringify(this.messages.slice(-3));
    const isSettled = until(() => holds() || this.#hasEnded, this.#deadlineMs);
    await isSettled.catch((error: unknown) => assert.fail(`${error}; last: ${last()}`));
    if (this.#hasEnded) await this.over;
    assert.ok(holds(), `the messages ended before: ${holds}; last: ${last()}`);
  }

  async #read(): Promise<void> {
    for await (const message of this.session.messages) {
      assert.equal(checkUnifiedMessage(message), undefined, `no UnifiedMessage: ${JSON.stringify(message)}`);
      const role = message.type === "unknown" ? "assistant" : MESSAGE_ROLES[message.type];
      assert.equal(message.role, role, `a ${message.type} has the role of the guide`);
      this.messages.push(message);
      this.#act(() => {
        for (const draft of this.#reader.read(message).drafts) this.#machine.apply(draft, 1);
      });
    }
    this.#act(() => this.#machine.detach("closed"));
  }

  #act(change: () => void): void {
    change();
    this.events.push(...this.#machine.take());
  }
}
