/**
 * The agent's seat in a session: opens the native session, hears what the agent says, notices when it is gone.
 * It keeps the secrets: what goes into the log from here is masked and within bounds.
 */
import type { AgentOutput, BackendAdapter } from "../core/adapter.ts";
import type { BackendCapabilities } from "../core/capability.ts";
import type { Command } from "../core/command.ts";
import type { Draft } from "../core/draft.ts";
import type { EventOf, TurnError } from "../core/event.ts";
import { truncateOutput } from "../core/truncate-output.ts";
import { AgentLink, type Delivery } from "./agent-link.ts";
import { attachAgent } from "./attach-agent.ts";
import { errorText } from "./error-text.ts";
import { SecretMask } from "./secret-mask.ts";
import type { Services } from "./services.ts";
import type { SessionLog } from "./session-log.ts";

type DetachReason = EventOf<"session.detached">["reason"];

interface Exit {
  code?: number | null;
  signal?: string | null;
  stderr?: string;
}

export interface SeatEvents {
  /** The agent said something; it is in the log already. */
  heard(drafts: readonly Draft[]): void;
  /** The agent could not be started. */
  absent(reason: string): void;
  /** The agent is gone; the log says so already. */
  gone(): void;
}

export class AgentSeat {
  readonly #log: SessionLog;
  readonly #adapter: BackendAdapter;
  readonly #services: Services;
  readonly #events: SeatEvents;
  #environment: Record<string, string> | undefined;
  mask: SecretMask;
  #link: AgentLink | undefined;
  #attaching: Promise<void> | undefined;
  /** Ends the waiting for an agent that is being started. */
  #connecting: AbortController | undefined;
  /** Why we are ending the agent ourselves. */
  #leaving: { reason: DetachReason; error?: TurnError } | undefined;
  /** Why we are ending the process, when the agent did not do as it was told. */
  #eviction: TurnError | undefined;
  #exit: Exit = {};
  /** Which process of the session the link leads to. */
  #generation = 0;
  /** When the agent was last heard, or spoken to. */
  lastHeardAt = 0;

  constructor(
    log: SessionLog,
    adapter: BackendAdapter,
    services: Services,
    events: SeatEvents,
    environment?: Record<string, string>,
  ) {
    this.#log = log;
    this.#adapter = adapter;
    this.#services = services;
    this.#events = events;
    this.#environment = environment;
    this.mask = new SecretMask(Object.entries(environment ?? {}));
    log.machine.saysTaken = adapter.capabilities.reportsSteering;
  }

  get capabilities(): BackendCapabilities {
    return this.#adapter.capabilities;
  }

  get isTaken(): boolean {
    return this.#link !== undefined;
  }

  /** Whether the agent can be spoken to. */
  get isReady(): boolean {
    return this.#link !== undefined && !this.#attaching;
  }

  /** Whether an agent is being started. */
  get isFilling(): boolean {
    return this.#attaching !== undefined;
  }

  get isLeaving(): boolean {
    return this.#leaving !== undefined;
  }

  get isEmpty(): boolean {
    return !this.#link && !this.#attaching;
  }

  get isEnvironmentMissing(): boolean {
    return (this.#log.state.env ?? []).some((name) => this.#environment?.[name] === undefined);
  }

  /** Values by name on top of those there are. A running agent has the old ones, so they stay masked until it is gone. */
  addEnvironment(values: Record<string, string>): void {
    const former = this.isEmpty ? [] : Object.entries(this.#environment ?? {});
    this.#environment = { ...this.#environment, ...values };
    this.mask = new SecretMask([...Object.entries(this.#environment), ...former]);
  }

  /** Sends a command after `ready` and after all commands before it. Never rejects. */
  async send(command: Command, ready: Promise<void>): Promise<Delivery> {
    if (this.#link) return this.#link.send(command, ready);
    await ready.catch(() => {});
    return { delivered: false, error: new Error("no agent is attached") };
  }

  /** Never rejects: why an agent could not be had stands in the log. */
  attach(): Promise<void> {
    this.#attaching ??= this.#connect().finally(() => {
      this.#attaching = undefined;
    });
    return this.#attaching;
  }

  /** Ends the agent. What it has said until then is still heard; what it leaves open is closed. Never rejects. */
  async leave(reason: DetachReason, error?: TurnError): Promise<void> {
    this.#leaving = { reason, error };
    this.#connecting?.abort(new Error("the session was closed"));
    await this.#attaching;
    const link = this.#link;
    if (await link?.close({ keepChildren: reason === "idle" })) await link?.finished;
    else link?.end(new Error("it could not be ended"));
    // There may be a turn without an agent: one that is only being started.
    this.#log.act((machine) => machine.endTurn("interrupted", error));
    this.#leaving = undefined;
  }

  /** Ends everything that was ever started for the session. */
  async clear(): Promise<void> {
    this.#leaving ??= { reason: "closed" };
    this.#connecting?.abort(new Error("the session was closed"));
    await this.#attaching;
    await this.#link?.close();
    await this.#adapter.release(this.#log.state.id);
  }

  /** Ends the process of an agent that does not do as it is told; the session goes on with another one. */
  evict(error: TurnError): void {
    this.#eviction = error;
    const link = this.#link;
    void link?.close().then((isEnded) => {
      if (!isEnded) link.end(new Error("it could not be ended"));
    });
  }

  notice(level: "info" | "warning" | "error", code: string, text: string): void {
    this.#log.act((machine) => machine.apply({ type: "notice", level, code, text: this.mask.text(text) }));
  }

  async #connect(): Promise<void> {
    const { state } = this.#log;
    const { places, limits, logger } = this.#services;
    const connecting = new AbortController();
    this.#connecting = connecting;
    const late = new Error(`it was not ready within ${Math.round(limits.connectTimeoutMs / 1000)} seconds`);
    const timer = setTimeout(() => connecting.abort(late), limits.connectTimeoutMs);
    const { signal } = connecting;
    let hasPlace = false;
    let isLinked = false;
    try {
      await places.take(signal);
      hasPlace = true;
      await this.#services.demandDirectory(state.cwd);
      const options = { environment: this.#environment, mask: this.mask, signal };
      const attachment = await attachAgent(this.#adapter, state, options);
      this.#exit = {};
      this.#generation = state.generation + 1;
      const link: AgentLink = new AgentLink(attachment.session, {
        output: (output) => this.#onOutput(output),
        ended: (error) => this.#onEnded(link, error),
        trouble: (error) => logger.error({ err: error, session: state.id }, "an agent could not be ended"),
        room: () => this.#services.commit.room(),
      });
      this.#link = link;
      isLinked = true;
      await this.#settleIn(link, attachment.resumed);
      if (attachment.resumeProblem !== undefined) {
        const text = `The agent does not remember the conversation so far: ${attachment.resumeProblem.replace(/\.$/, "")}.`;
        this.notice("warning", "resume", text);
      }
    } catch (error) {
      if (hasPlace && !isLinked) places.release();
      logger.warn({ session: state.id, agent: state.agent }, "agent did not start");
      this.#events.absent(this.mask.text(errorText(error)));
    } finally {
      clearTimeout(timer);
      this.#connecting = undefined;
    }
  }

  /** Agents that tell about themselves while connecting have done so by now; for the others we say that it began. */
  async #settleIn(link: AgentLink, resumed: boolean): Promise<void> {
    const { state } = this.#log;
    for (let round = 0; round < 3 && !state.attached && !link.isOver; round += 1) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (link.isOver) {
      const { code, signal, stderr } = this.#exit;
      throw new Error(exitText(code, signal, stderr));
    }
    if (state.attached) return;
    this.#log.act((machine) => machine.apply({ type: "session.attached", ...(resumed && { resumed }) }));
  }

  #onOutput({ raw, drafts }: AgentOutput): void {
    this.lastHeardAt = this.#services.now();
    const record = this.mask.isEmpty ? raw : ({ ...raw, data: this.mask.value(raw.data) } as typeof raw);
    const rawSeq = this.#log.record(record, this.#generation);
    if (raw.direction === "process" && raw.data.event === "exit") this.#exit = raw.data as Exit;
    if (drafts.length === 0) return;
    this.#log.act((machine) => {
      for (const draft of drafts) {
        for (const masked of this.mask.draft(draft)) machine.apply(this.#limit(masked), rawSeq);
      }
    });
    this.#events.heard(drafts);
  }

  /** Keeps an event within bounds, and gives an ask its time. */
  #limit(draft: Draft): Draft {
    const { limits, counters } = this.#services;
    if (draft.type === "tool.output" || draft.type === "tool.amended") {
      return { ...draft, ...truncateOutput(draft.output, limits.maxToolOutputBytes) } as Draft;
    }
    if (draft.type === "ask.opened" && draft.expiresAt === undefined && limits.askTimeoutMs > 0) {
      return { ...draft, expiresAt: this.#services.now() + limits.askTimeoutMs };
    }
    if (draft.type === "agent.unknown") counters.unknownNative += 1;
    return draft;
  }

  #onEnded(link: AgentLink, error: unknown): void {
    this.#services.places.release();
    if (this.#link !== link) return;
    this.#link = undefined;
    const { code, signal, stderr } = this.#exit;
    this.#log.act((machine) => {
      for (const held of this.mask.release()) machine.apply(held);
      const clean = this.#eviction !== undefined || (code === 0 && !machine.state.turn);
      if (this.#leaving) machine.endTurn("interrupted", this.#leaving.error);
      if (this.#eviction) machine.endTurn("interrupted", this.#eviction);
      const message = this.mask.text(exitText(code, signal, stderr, error));
      machine.endTurn("failed", { code: "agent_exited", message });
      const reason = this.#leaving?.reason ?? (clean ? "exit" : "crash");
      machine.detach(reason, { code: code ?? null, signal: signal ?? null });
    });
    this.#eviction = undefined;
    this.mask = new SecretMask(Object.entries(this.#environment ?? {}));
    this.#events.gone();
  }
}

function exitText(code?: number | null, signal?: string | null, stderr?: string, error?: unknown): string {
  const how = signal ? `was ended by ${signal}` : code == null ? "is gone" : `exited with code ${code}`;
  const why = error === undefined ? "" : ` (${errorText(error)})`;
  const last = stderr?.trim() ? ` It last said: ${stderr.trim()}` : "";
  return `The agent ${how}${why} before its turn ended.${last}`;
}
