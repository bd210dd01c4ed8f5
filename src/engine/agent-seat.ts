/**
 * The agent's seat in a session: opens the native session, hears what the agent says, notices when it is gone.
 * It keeps the secrets: what goes into the log from here is masked and within bounds.
 */
import type { AgentOutput, BackendAdapter } from "../core/adapter.ts";
import { boundDraft } from "../core/bound-draft.ts";
import type { BackendCapabilities } from "../core/capability.ts";
import type { Command } from "../core/command.ts";
import type { Draft } from "../core/draft.ts";
import { InterlinguaError } from "../core/error.ts";
import type { EventOf, TurnError } from "../core/event.ts";
import { LONGEST_ID, shortId } from "../core/short-id.ts";
import { typedDraft } from "../core/typed-draft.ts";
import { AgentLink, type Delivery } from "./agent-link.ts";
import { errorText } from "./error-text.ts";
import { exitText } from "./exit-text.ts";
import { connectInTime, obtainAgent } from "./obtain-agent.ts";
import type { SecretMask } from "./secret-mask.ts";
import type { AgentSettings, Services } from "./services.ts";
import type { SessionLog } from "./session-log.ts";
import { maskFor, startSettings } from "./session-secrets.ts";

/** An id beyond this is not kept: its ask can be shown, but the answer does not find the way back. */
const LONGEST_ASK_ID = 64 * 1024;
const LONG_ASK_IDS_KEPT = 100;

type DetachReason = EventOf<"session.detached">["reason"];

interface Exit {
  code?: number | null;
  signal?: string | null;
  stderr?: string;
}

export interface SeatEvents {
  /** The agent said something; it is in the log already. */
  heard(drafts: readonly Draft[]): void;
  /** The agent could not be started, or not be installed. */
  absent(error: TurnError): void;
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
  /** Ids of asks that are too long for the log, by what stands there. */
  readonly #longAskIds = new Map<string, string>();
  /** Settings the agent is started without, and people were told of. */
  readonly #dropped = new Set<string>();
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
    this.mask = this.#newMask();
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
    return (this.#log.state.env ?? []).some((name) => !Object.hasOwn(this.#environment ?? {}, name));
  }

  /** Values by name on top of those there are. A running agent has the old ones, so they stay masked until it is gone. */
  addEnvironment(values: Record<string, string>): void {
    this.#environment = { ...this.#environment, ...values };
    if (this.isEmpty) this.mask = this.#newMask();
    else this.mask.add(Object.entries(values));
  }

  /** Sends a command after `ready` and after all commands before it, if it is wanted then. Never rejects. */
  async send(command: Command, ready: Promise<void>, isWanted?: () => boolean): Promise<Delivery> {
    if (this.#link) return this.#link.send(this.#withOwnId(command), ready, isWanted);
    await ready.catch(() => {});
    return { delivered: false, error: new Error("no agent is attached") };
  }

  #withOwnId(command: Command): Command {
    if (command.type !== "reply") return command;
    return { ...command, ask: this.#longAskIds.get(command.ask) ?? command.ask };
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

  notice(level: "info" | "warning" | "error", code: string, text: string, data?: unknown): void {
    const notice = { type: "notice", level, code, text: this.mask.text(text) } as const;
    this.#log.act((machine) =>
      machine.apply(data === undefined ? notice : { ...notice, data: this.mask.value(data) }),
    );
  }

  /** What the config says about the agent. */
  get #settings(): AgentSettings | undefined {
    return this.#services.agentSettings[this.#adapter.name];
  }

  #newMask(): SecretMask {
    return maskFor(this.#settings, this.#environment);
  }

  async #connect(): Promise<void> {
    const { state } = this.#log;
    const { places, logger } = this.#services;
    const connecting = new AbortController();
    this.#connecting = connecting;
    let hasPlace = false;
    let isLinked = false;
    try {
      await connectInTime(connecting, this.#services, state.agent, () => places.take(connecting.signal));
      hasPlace = true;
      await this.#services.demandDirectory(state.cwd);
      const { settings, dropped } = startSettings(state, this.mask);
      for (const setting of dropped) {
        if (this.#dropped.has(setting)) continue;
        this.#dropped.add(setting);
        const text = `The value is no longer known, so the agent is started without ${setting}. Set it again.`;
        this.notice("warning", "secret", text);
      }
      const attachment = await obtainAgent(this.#adapter, state, {
        environment: { ...this.#settings?.environment, ...this.#environment },
        settings,
        services: this.#services,
        connecting,
        notice: (text, data) => this.notice("info", "install", text, data),
      });
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
      // We gave it up ourselves: the prompts that want it go on waiting.
      if (this.#leaving) return;
      logger.warn({ session: state.id, agent: state.agent }, "agent did not start");
      const code = InterlinguaError.isInstance(error) ? error.code : "agent_failed";
      this.#events.absent({ code, message: this.mask.text(errorText(error)) });
    } finally {
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

  #onOutput({ raw, drafts, unread }: AgentOutput): void {
    const { limits, now } = this.#services;
    this.lastHeardAt = now();
    const rawSeq = this.#log.record(this.mask.record(raw), this.#generation);
    if (raw.direction === "process" && raw.data.event === "exit") this.#exit = raw.data as Exit;
    for (const native of unread ?? []) this.#countUnread(native);
    if (drafts.length === 0) return;
    this.#log.act((machine) => {
      for (const said of drafts) {
        const draft = typedDraft(said);
        if (draft.type === "agent.unknown") this.#countUnknown(draft.native);
        if (draft.type === "ask.opened") this.#noteAsk(draft.ask);
        for (const masked of this.mask.draft(this.#explain(draft))) {
          for (const bounded of boundDraft(masked, limits.maxToolOutputBytes))
            machine.apply(withTime(bounded, limits.askTimeoutMs, now), rawSeq);
        }
      }
    });
    this.#events.heard(drafts);
  }

  /** In the log a long id is shortened; the agent gets its own back with the answer. */
  #noteAsk(ask: string): void {
    if (ask.length <= LONGEST_ID || ask.length > LONGEST_ASK_ID) return;
    if (this.#longAskIds.size >= LONG_ASK_IDS_KEPT)
      this.#longAskIds.delete(this.#longAskIds.keys().next().value!);
    this.#longAskIds.set(shortId(ask), ask);
  }

  /** An agent that we are ending may end its turn itself first. It does not know why it was stopped. */
  #explain(draft: Draft): Draft {
    const error = this.#leaving?.error ?? this.#eviction;
    if (!error || draft.type !== "turn.ended" || draft.outcome !== "interrupted") return draft;
    return { error, ...draft };
  }

  #countUnknown(native: string): void {
    this.#services.counters.unknownNative += 1;
    this.#countUnread(native);
  }

  /** The names are shown to whoever may read the metrics. */
  #countUnread(native: string): void {
    this.#services.counters.unread.add(this.#adapter.name, this.mask.text(native));
  }

  #onEnded(link: AgentLink, error: unknown): void {
    this.#services.places.release();
    if (this.#link !== link) return;
    this.#link = undefined;
    const { code, signal, stderr } = this.#exit;
    this.#log.act((machine) => {
      for (const held of this.mask.release())
        for (const bounded of boundDraft(held, this.#services.limits.maxToolOutputBytes))
          machine.apply(bounded);
      const clean = this.#eviction !== undefined || (code === 0 && !machine.state.turn);
      if (this.#leaving) machine.endTurn("interrupted", this.#leaving.error);
      if (this.#eviction) machine.endTurn("interrupted", this.#eviction);
      const message = this.mask.text(exitText(code, signal, stderr, error));
      machine.endTurn("failed", { code: "agent_exited", message });
      const reason = this.#leaving?.reason ?? (clean ? "exit" : "crash");
      machine.detach(reason, { code: code ?? null, signal: signal ?? null });
    });
    this.#eviction = undefined;
    this.#longAskIds.clear();
    this.mask = this.#newMask();
    this.#events.gone();
  }
}

/** An ask that has no time of its own gets the one of the settings. */
function withTime(draft: Draft, askTimeoutMs: number, now: () => number): Draft {
  if (draft.type !== "ask.opened" || draft.expiresAt !== undefined || askTimeoutMs === 0) return draft;
  return { ...draft, expiresAt: now() + askTimeoutMs };
}
