/** The commands on the prompts of one session: accept, change, move, hold, release, steer, withdraw, stop before its turn. */
import type { Principal } from "../../core/principal.ts";
import { type PromptPart, promptSize } from "../../core/prompt-part.ts";
import { firstFree, nextPrompt, type QueuedPrompt } from "../../core/session-state.ts";
import type { PromptReceipt, QueueChecks, SendPrompt } from "../../protocol/commands/command-types.ts";
import type { AgentConnection } from "../agent/agent-connection.ts";
import { assertSettingsOffered } from "../agent/agent-setting-values.ts";
import { assertMayPrompt } from "../asks/asking-checks.ts";
import type { Services } from "../engine-services.ts";
import type { SessionCheckpoints } from "../files/session-checkpoints.ts";
import {
  assertAcceptable,
  assertEnvironment,
  assertNothingMissing,
  assertOpen,
  assertQueueLength,
  assertQueueSpace,
  requireQueued,
} from "../session/session-assertions.ts";
import type { SessionLog } from "../session/session-log.ts";
import type { SessionSteps } from "../session/session-steps.ts";
import type { PromptDispatch } from "./prompt-dispatch.ts";
import { assertCanPass, canPass } from "./queue-checks.ts";

export interface PromptQueueOptions {
  log: SessionLog;
  connection: AgentConnection;
  steps: Pick<SessionSteps, "wake" | "hasEnded">;
  dispatch: PromptDispatch;
  checkpoints: Pick<SessionCheckpoints, "isEnding">;
  services: Pick<Services, "limits" | "counters">;
}

type AcceptedPrompt = SendPrompt & { by: Principal; checks?: QueueChecks };

export class PromptQueue {
  readonly #log: SessionLog;
  readonly #connection: AgentConnection;
  readonly #steps: PromptQueueOptions["steps"];
  readonly #dispatch: PromptDispatch;
  readonly #checkpoints: PromptQueueOptions["checkpoints"];
  readonly #services: PromptQueueOptions["services"];
  /** Pending commits of accepted prompts, for requests that are repeated meanwhile. */
  readonly #accepting = new Map<string, Promise<void>>();

  constructor({ log, connection, steps, dispatch, checkpoints, services }: PromptQueueOptions) {
    this.#log = log;
    this.#connection = connection;
    this.#steps = steps;
    this.#dispatch = dispatch;
    this.#checkpoints = checkpoints;
    this.#services = services;
  }

  /** Throws where the prompt would be refused, whatever runs or waits; with `isBusy` also for what does. */
  assertPossible(prompt: SendPrompt & { by: Principal }, isBusy = false): void {
    const { state } = this.#log;
    this.#log.assertAlive();
    assertOpen(state, this.#steps.hasEnded);
    assertNothingMissing(this.#log);
    assertEnvironment(state, this.#connection);
    assertAcceptable(prompt, state, this.#connection, isBusy);
    assertSettingsOffered(state, prompt.settings);
    this.#assertAllowed(prompt);
  }

  /** Asserts that the sender may say this to the agent as it works now. */
  #assertAllowed({ by, ...prompt }: { by: Principal } & Partial<SendPrompt>): void {
    assertMayPrompt(by.access, { agent: this.#connection.agent, state: this.#log.state }, prompt);
  }

  /** Takes a prompt. The message id is known to be new. */
  async accept(message: string, prompt: AcceptedPrompt): Promise<PromptReceipt> {
    const log = this.#log;
    const { state } = log;
    // What is said now goes before what is held, which goes on after it.
    const { queueHeld } = state;
    const held = queueHeld && canPass(prompt.checks, state.queue) ? state.queue[0] : undefined;
    const busy = state.turn !== undefined || (firstFree(state) !== undefined && !held);
    this.assertPossible(prompt, busy);
    if (busy || !this.#connection.isReady) {
      assertQueueLength(state, this.#services.limits);
      this.#assertQueueSpace(promptSize(prompt.parts));
    }
    const steers = prompt.whenBusy === "steer" && this.#canSteer();
    const parts = this.#connection.mask.value(prompt.parts);
    this.#dispatch.note(message, prompt.parts, prompt.by.access);
    const receipt = steers ? "steered" : busy ? "queued" : "started";
    const { settings } = prompt;
    const { name: by, access } = prompt.by;
    const author = access.token;
    const seq = state.head + (queueHeld ? 2 : 1);
    log.act((machine) => {
      if (queueHeld) machine.emit({ type: "session.updated", queueHeld: false, by });
      machine.acceptPrompt(message, parts, prompt.whenBusy, { receipt, settings, by, author });
      if (held && !steers) machine.emit({ type: "prompt.moved", message, before: held.message, by });
    });
    if (steers) this.#dispatch.steer(message, parts);
    this.#steps.wake();
    log.contents.trim();
    // If the agent is ready, the turn has already begun.
    const turn = busy && !steers ? undefined : log.state.turn?.id;
    const committed = log.flush();
    this.#accepting.set(message, committed);
    const forget = () => this.#accepting.delete(message);
    committed.then(forget, forget);
    await log.durable(committed);
    return { message, state: receipt, turn, seq };
  }

  /** Resolves when a prompt that was accepted a moment ago is in the store. */
  async accepted(message: string): Promise<void> {
    const committed = this.#accepting.get(message);
    if (committed) await this.#log.durable(committed);
  }

  async change(
    message: string,
    { parts, by }: { parts: PromptPart[]; by: Principal },
  ): Promise<QueuedPrompt> {
    const prompt = requireQueued(this.#log.state, message);
    this.#assertAllowed({ parts, settings: prompt.settings, by });
    this.#assertQueueSpace(promptSize(parts) - prompt.bytes);
    this.#dispatch.note(message, parts, by.access);
    const masked = this.#connection.mask.value(parts);
    this.#log.act((machine) => machine.emit({ type: "prompt.changed", message, parts: masked, by: by.name }));
    this.#log.contents.trim();
    const changed = { ...prompt };
    await this.#log.durable();
    return changed;
  }

  /** To before another prompt that waits, or behind all. */
  async move(
    message: string,
    { before, by, checks }: { before: string | null; by: string; checks?: QueueChecks },
  ): Promise<QueuedPrompt> {
    const { queue } = this.#log.state;
    const prompt = requireQueued(this.#log.state, message);
    const from = queue.indexOf(prompt);
    const to = before === null ? queue.length : queue.indexOf(requireQueued(this.#log.state, before));
    if (to !== from && to !== from + 1) {
      if (to < from) assertCanPass(checks, queue.slice(to, from));
      this.#log.act((machine) =>
        machine.emit({ type: "prompt.moved", message, before: before ?? undefined, by }),
      );
      this.#steps.wake();
    }
    await this.#log.durable();
    return { ...prompt };
  }

  /** Nothing that waits, or comes back from the turn, begins until a prompt is sent or `release` is called. */
  hold(by: string): void {
    const { queue, queueHeld, turn } = this.#log.state;
    if (queueHeld || (!firstFree({ queue }) && !turn?.steered.length)) return;
    this.#log.act((machine) => machine.emit({ type: "session.updated", queueHeld: true, by }));
  }

  /** What waits goes on; of prompts that are held by themselves only the given one, or all. False if nothing was held. */
  release(by: string, only?: string): boolean {
    const released = this.#noteRelease(by, only);
    if (released !== undefined) this.#steps.wake();
    return released ?? false;
  }

  /** Whether a prompt was held. Undefined where there was nothing to release. Begins nothing. */
  #noteRelease(by: string, only?: string): boolean | undefined {
    const { queue, queueHeld, closed } = this.#log.state;
    const held = queue.filter(({ held, message }) => held && (only === undefined || only === message));
    if (closed || (!queueHeld && held.length === 0)) return undefined;
    const isAnyHeld = queue.length > 0;
    this.#log.act((machine) => {
      if (queueHeld) machine.emit({ type: "session.updated", queueHeld: false, by });
      for (const { message } of held) machine.emit({ type: "prompt.held", message, held: false, by });
    });
    return isAnyHeld;
  }

  /** Gives a waiting prompt to the running turn. Undefined, and nothing was done, where the agent cannot take it. */
  async steer(message: string, by: string): Promise<PromptReceipt | undefined> {
    const { contents, state } = this.#log;
    const prompt = requireQueued(state, message);
    // Settings hold for a whole turn.
    if (!this.#connection.capabilities.steer || prompt.settings || !this.#canSteer()) return undefined;
    const wanted = { ...prompt };
    let parts = contents.kept(message);
    if (!parts) {
      await this.#log.flush();
      parts = await contents.read(wanted);
    }
    const current = requireQueued(state, message);
    if (current.contentSeq !== wanted.contentSeq) return this.steer(message, by);
    if (!this.#canSteer() || this.#dispatch.refusalOf(message, parts)) return undefined;
    // No step in between: it could begin this prompt itself, or another one.
    this.#noteRelease(by, message);
    this.#dispatch.steer(message, parts);
    this.#steps.wake();
    const seq = state.head;
    await this.#log.durable();
    return { message, state: "steered", turn: state.turn?.id, seq };
  }

  #assertQueueSpace(bytes: number): void {
    const { limits, counters } = this.#services;
    assertQueueSpace(this.#log.state, bytes, counters.waitingBytes, limits);
  }

  async withdraw(message: string, by: string): Promise<void> {
    requireQueued(this.#log.state, message);
    this.#dispatch.forget(message);
    this.#log.act((machine) => machine.emit({ type: "prompt.withdrawn", message, by }));
    this.#steps.wake();
    await this.#log.durable();
  }

  /**
   * The prompt the agent is being started for gets a turn that was stopped before the agent saw it. During a restore there
   * are no turns: it is withdrawn, or held with the others. False if no prompt waits.
   */
  async interruptStart(by: string, holds: boolean): Promise<boolean> {
    const { queue, restore } = this.#log.state;
    const next = nextPrompt(this.#log.state);
    if (!next) return false;
    if (restore) {
      if (holds) this.hold(by);
      else await this.withdraw(next.message, by);
      await this.#log.durable();
      return true;
    }
    const hasMore = queue.some((queued) => queued !== next && !queued.held);
    this.#log.act((machine) => {
      machine.dispatch(next.message);
      if (holds && hasMore) machine.emit({ type: "session.updated", queueHeld: true, by });
      machine.stopping(by);
      machine.endTurn("interrupted");
    });
    this.#steps.wake();
    await this.#log.durable();
    return true;
  }

  #canSteer(): boolean {
    const { turn, restore } = this.#log.state;
    const isRunning = turn !== undefined && turn.stoppingBy === undefined && !this.#checkpoints.isEnding;
    return this.#connection.isReady && isRunning && !restore;
  }
}
