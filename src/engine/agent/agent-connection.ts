/**
 * A session's connection to its agent: opens the native session, reads what the agent says, notices when it is gone. It
 * masks secrets and enforces limits before anything reaches the log.
 */
import type { BackendAdapter } from "../../core/adapter.ts";
import type { AskingAgent } from "../../core/asks-permission.ts";
import type { BackendCapabilities } from "../../core/capability.ts";
import type { Command } from "../../core/command.ts";
import type { Draft } from "../../core/draft.ts";
import { InterlinguaError } from "../../core/error.ts";
import { errorText } from "../../core/error-text.ts";
import type { TurnError } from "../../core/event.ts";
import type { SessionMachine } from "../../core/session-machine.ts";
import type { ConfiguredAgent, Services } from "../engine-services.ts";
import { locateChanges } from "../files/locate-changes.ts";
import { SessionFiles } from "../files/session-files.ts";
import { AgentMemory } from "../memory/agent-memory.ts";
import { ConversationMemory } from "../memory/conversation-memory.ts";
import type { KnownSecrets } from "../secrets/known-secrets.ts";
import type { SecretMask } from "../secrets/secret-mask.ts";
import { maskFor, startSettings } from "../secrets/session-secrets.ts";
import { findMissing } from "../session/session-assertions.ts";
import type { SessionLog } from "../session/session-log.ts";
import { AgentMailbox, type Delivery } from "./agent-mailbox.ts";
import { connectAgent, withConnectDeadline } from "./connect-agent.ts";
import { type ConnectionState, type DetachReason, type Phase, phaseWith } from "./connection-state.ts";
import { OutputIntake } from "./output-intake.ts";
import { recordAgentEnd } from "./record-agent-end.ts";
import { settleIn } from "./settle-in.ts";
import { StartRecords } from "./start-records.ts";

export interface ConnectionEvents {
  /** The agent is started: a slot for it is free. */
  starting(): void;
  /** The agent said something; it is in the log already. */
  heard(drafts: readonly Draft[]): void;
  /** The agent is about to end its turn, or is gone. What has to be waited for before the log says so. Never rejects. */
  turnEnding(): Promise<void> | undefined;
  /** The agent could not be started or installed, for a reason that does not pass by itself. `raw` says why. */
  absent(error: TurnError, raw?: number): void;
  /** The agent is gone; the log says so already. */
  gone(): void;
}

/** What only this process has of a session. */
export interface SessionValues {
  /** By name; absent where they have to be given again. */
  environment?: Record<string, string>;
  secrets: KnownSecrets;
}

export class AgentConnection {
  readonly #log: SessionLog;
  readonly #adapter: BackendAdapter;
  readonly #services: Services;
  readonly #events: ConnectionEvents;
  #environment: Record<string, string> | undefined;
  readonly #secrets: KnownSecrets;
  mask: SecretMask;
  #state: ConnectionState = { is: "disconnected" };
  /** Takes what the agent says; the last one's is kept, for how it ended. */
  #intake: OutputIntake | undefined;
  /** Settings the agent is started without, as a notice said. */
  readonly #dropped = new Set<string>();
  #isStarting = false;
  readonly #memory: AgentMemory;
  readonly #keptMemory: ConversationMemory;
  readonly #files: SessionFiles;
  /** See `notice`. */
  #startNotices: Draft[] = [];
  /** When the agent last sent or received something. */
  lastHeardAt = 0;

  constructor(
    log: SessionLog,
    adapter: BackendAdapter,
    services: Services,
    events: ConnectionEvents,
    { environment, secrets }: SessionValues,
  ) {
    this.#log = log;
    this.#adapter = adapter;
    this.#services = services;
    this.#events = events;
    this.#environment = environment;
    this.#secrets = secrets;
    secrets.add(Object.entries(environment ?? {}));
    this.mask = this.#newMask();
    this.#memory = new AgentMemory({
      log,
      adapter,
      services,
      notice: (level, code, text) => this.notice(level, code, text),
    });
    this.#keptMemory = new ConversationMemory({
      log,
      adapter,
      services,
      secrets,
      mask: () => this.mask,
      notice: (level, code, text) => this.notice(level, code, text),
    });
    this.#files = new SessionFiles({
      log,
      services,
      notice: (level, code, text) => this.notice(level, code, text),
    });
    log.machine.saysTaken = adapter.capabilities.reportsSteering;
  }

  /** What is known of when its agent asks. */
  get agent(): AskingAgent {
    return this.#adapter;
  }

  get capabilities(): BackendCapabilities {
    return this.#adapter.capabilities;
  }

  /** See `BackendAdapter`. */
  get rewindsByFork(): boolean {
    return this.#adapter.rewindsByFork === true;
  }

  /** Its agent keeps no conversation: each start is given the history. */
  get isGivenHistory(): boolean {
    return this.#adapter.takesHistory === true && !this.capabilities.resume;
  }

  /** Whether an agent is there, though it may not be ready yet. */
  get hasAgent(): boolean {
    return this.#mailbox !== undefined;
  }

  /** Whether the agent takes commands. */
  get isReady(): boolean {
    return this.#state.is === "connected";
  }

  get isConnecting(): boolean {
    return this.#state.is === "connecting";
  }

  /** Whether it is being started, and no longer waits for a slot. */
  get isStarting(): boolean {
    return this.#isStarting;
  }

  /** See `OutputIntake.taking`. */
  get taking(): Promise<void> | undefined {
    return this.#intake?.taking;
  }

  /** Whether we are ending the agent ourselves. */
  get isClosing(): boolean {
    return this.#state.closing !== undefined;
  }

  get isDisconnected(): boolean {
    return this.#state.is === "disconnected";
  }

  get isEnvironmentMissing(): boolean {
    return (this.#log.state.env ?? []).some((name) => !Object.hasOwn(this.#environment ?? {}, name));
  }

  /** Adds values by name. The agent had the old ones, so they stay masked. */
  addEnvironment(values: Record<string, string>): void {
    this.#environment = { ...this.#environment, ...values };
    this.#secrets.add(Object.entries(values));
    if (this.isDisconnected) this.mask = this.#newMask();
    else this.mask.add(Object.entries(values));
  }

  /** See `SecretMask.addAnswers`. The agent may remember them, so they stay masked. */
  addSecretAnswers(answers: readonly (readonly [name: string, value: string])[]): void {
    this.#secrets.addAnswers(answers);
    this.mask.addAnswers(answers);
  }

  /** Sends a command after `ready` and after all commands before it, if it is wanted then. Never rejects. */
  async send(command: Command, ready: Promise<void>, isWanted?: () => boolean): Promise<Delivery> {
    if (this.#mailbox) return this.#sendTo(this.#mailbox, command, ready, isWanted);
    await ready.catch(() => {});
    return { delivered: false, error: new Error("no agent is attached") };
  }

  async #sendTo(
    mailbox: AgentMailbox,
    command: Command,
    ready: Promise<void>,
    isWanted?: () => boolean,
  ): Promise<Delivery> {
    const sent = this.#memory.tellWith(command, this.mask);
    const delivery = await mailbox.send(this.#withNativeId(sent), ready, isWanted);
    if (delivery.delivered && sent !== command) this.#memory.told();
    return delivery;
  }

  #withNativeId(command: Command): Command {
    const intake = this.#intake;
    return command.type === "reply" && intake ? { ...command, ask: intake.nativeAsk(command.ask) } : command;
  }

  /** Starts the agent unless it runs or is being started. Gives the reason if it could not be; never rejects. */
  async connect(): Promise<InterlinguaError | undefined> {
    if (this.#state.is === "connected") return undefined;
    if (this.#state.is === "connecting") return this.#state.finished;
    const missing = findMissing(this.#log);
    if (missing) return missing;
    const abort = new AbortController();
    const finished = this.#start(abort).finally(() => this.#enter(phaseWith(this.#mailbox)));
    this.#enter({ is: "connecting", finished, abort });
    return finished;
  }

  /** Ends the agent. What it said before is still read; what it left open is closed. Never rejects. */
  async disconnect(reason: DetachReason, error?: TurnError): Promise<void> {
    this.#state = { ...this.#state, closing: { reason, error } };
    await this.#stopConnecting();
    const mailbox = this.#mailbox;
    if (await mailbox?.close({ keepChildren: reason === "idle" })) await mailbox?.finished;
    else mailbox?.end(new Error("it could not be ended"));
    // There may be a turn without an agent: one that is only being started.
    this.#log.act((machine) => machine.endTurn("interrupted", error));
    this.#state = { ...this.#state, closing: undefined };
  }

  /** Ends everything that was ever started for the session, for good. */
  async dispose(): Promise<void> {
    this.#state = { ...this.#state, closing: this.#state.closing ?? { reason: "closed" } };
    await this.#stopConnecting();
    await this.#mailbox?.close();
    await this.#adapter.release(this.#log.state.id);
  }

  async #stopConnecting(): Promise<void> {
    if (this.#state.is !== "connecting") return;
    this.#state.abort.abort(new Error("the session was closed"));
    await this.#state.finished;
  }

  /** Ends the process of an agent that does not obey; the session goes on with a new one. */
  kill(error: TurnError): void {
    const mailbox = this.#mailbox;
    if (!mailbox) return;
    this.#state = { ...this.#state, killed: error };
    void mailbox.close().then((isEnded) => {
      if (!isEnded) mailbox.end(new Error("it could not be ended"));
    });
  }

  get #mailbox(): AgentMailbox | undefined {
    return this.#state.is === "disconnected" ? undefined : this.#state.mailbox;
  }

  #setMailbox(mailbox: AgentMailbox | undefined): void {
    this.#enter(this.#state.is === "connecting" ? { ...this.#state, mailbox } : phaseWith(mailbox));
  }

  #enter(phase: Phase): void {
    const { closing, killed } = this.#state;
    this.#state = { ...phase, closing, killed };
  }

  /** What is noticed at a start between turns is said in the next one: only there it is part of the conversation. */
  notice(level: "info" | "warning" | "error", code: string, text: string, data?: unknown): void {
    const told = { type: "notice", level, code, text: this.mask.text(text) } as const;
    const notice = data === undefined ? told : { ...told, data: this.mask.value(data) };
    // How an installation goes on is told at once.
    const isOfStart = this.isConnecting && !this.#log.state.turn && code !== "install";
    if (isOfStart) this.#startNotices.push(notice);
    else this.#log.act((machine) => machine.apply(notice));
  }

  /** For a turn that begins. */
  tellStartNotices(machine: SessionMachine): void {
    for (const notice of this.#startNotices) machine.apply(notice);
    this.#startNotices = [];
  }

  /** Nothing is queued for it: false if no agent is there that takes it. */
  passOn(message: unknown): boolean {
    return this.#mailbox?.passOn(message) ?? false;
  }

  /** See `SecretMask.prepare`. */
  prepareMask(value: unknown): Promise<Disposable> | undefined {
    return this.mask.prepare(value, this.#services.slices);
  }

  /** See `SecretMask.prepareDiffs`. */
  prepareDiffMask(diffs: readonly string[]): Promise<Disposable> | undefined {
    return this.mask.prepareDiffs(diffs, this.#services.slices);
  }

  /** What the config says about the agent. */
  get #settings(): ConfiguredAgent | undefined {
    return this.#services.agentSettings[this.#adapter.name];
  }

  #newMask(): SecretMask {
    return maskFor(this.#settings, this.#environment, this.#secrets.values);
  }

  async #start(abort: AbortController): Promise<InterlinguaError | undefined> {
    const { state } = this.#log;
    const { slots, logger } = this.#services;
    // The session that this one is a copy of may have got more values since.
    this.mask = this.#newMask();
    this.#startNotices = [];
    const records = new StartRecords();
    let hasSlot = false;
    let hasMailbox = false;
    try {
      await withConnectDeadline(abort, this.#services, state.agent, () => slots.take(abort.signal));
      hasSlot = true;
      this.#isStarting = true;
      this.#events.starting();
      await this.#services.assertDirectory(state.cwd, state.id);
      await this.#files.bring(abort.signal);
      const { settings, dropped } = startSettings(state, this.mask);
      for (const setting of dropped) {
        if (this.#dropped.has(setting)) continue;
        this.#dropped.add(setting);
        const text = `The value is no longer known, so the agent is started without ${setting}. Set it again.`;
        this.notice("warning", "secret", text);
      }
      const connected = await connectAgent(this.#adapter, state, {
        environment: { ...this.#settings?.environment, ...this.#environment },
        settings,
        services: this.#services,
        abort,
        observe: (record) => records.add(record),
        notice: (text, data) => this.notice("info", "install", text, data),
        fork: await this.#memory.startingPlace(),
        restore: (conversation, isCopied) =>
          this.#keptMemory.restore(conversation, isCopied ? state.continues?.session : undefined),
        history: () => this.#memory.history(),
      });
      await this.#memory.prepare(connected).catch(async (error) => {
        await connected.session.close();
        throw error;
      });
      const intake = this.#newIntake(() => mailbox.isOver);
      this.#intake = intake;
      const mailbox: AgentMailbox = new AgentMailbox(connected.session, {
        output: (output) => intake.take(output),
        ending: () => this.#turnEnding(),
        ended: (error) => this.#onEnded(mailbox, error),
        trouble: (error) => logger.error({ err: error, session: state.id }, "an agent could not be ended"),
        room: () => this.#services.commit.room(),
      });
      this.#setMailbox(mailbox);
      hasMailbox = true;
      this.lastHeardAt = this.#services.now();
      await settleIn(this.#log, {
        mailbox,
        intake,
        resumed: connected.resumed,
        agentSessionId: connected.session.agentSessionId,
      });
      this.#memory.report(connected);
      this.#keptMemory.connected(connected);
      return undefined;
    } catch (error) {
      if (hasSlot && !hasMailbox) slots.release();
      // We cancelled the start ourselves: waiting prompts go on waiting.
      if (this.isClosing) return undefined;
      const code = InterlinguaError.isInstance(error) ? error.code : "agent_failed";
      logger.warn({ session: state.id, agent: state.agent, code, ...records.exit }, "an agent did not start");
      const failure = new InterlinguaError(code, this.mask.text(errorText(error)), { cause: error });
      const raw = records.write(this.#log, this.mask, { isLate: abort.signal.aborted });
      // What its start needs could not be read just now: nothing is wrong with the agent.
      if (code !== "store_busy") this.#events.absent({ code, message: failure.message }, raw);
      return failure;
    } finally {
      this.#isStarting = false;
    }
  }

  #newIntake(isOver: () => boolean): OutputIntake {
    const { heard } = this.#events;
    return new OutputIntake({
      log: this.#log,
      mask: this.mask,
      services: this.#services,
      agent: this.#adapter.name,
      generation: this.#log.state.generation + 1,
      isOver,
      hears: () => {
        this.lastHeardAt = this.#services.now();
      },
      locate: (drafts) => this.#locate(drafts),
      explain: (draft) => this.#explain(draft),
      heard,
      turnEnding: () => this.#turnEnding(),
    });
  }

  #locate(drafts: readonly Draft[]): Promise<readonly Draft[]> | undefined {
    const { projectFiles: files, slices } = this.#services;
    const isRemote = this.capabilities.availability === "remote";
    return files && locateChanges(drafts, { files, directory: this.#log.state.cwd, isRemote, slices });
  }

  /** The files of the workspace, as a checkpoint and for other nodes, and what the agent keeps itself: all at once. */
  #turnEnding(): Promise<void> | undefined {
    const ending = [this.#events.turnEnding(), this.#keptMemory.ending(), this.captureFiles()];
    const awaited = ending.filter((each) => each !== undefined);
    return awaited.length > 1 ? Promise.all(awaited).then(() => {}) : awaited[0];
  }

  /** See `SessionFiles.bring`. */
  bringFiles(signal: AbortSignal): Promise<void> {
    return this.#files.bring(signal);
  }

  /** See `SessionFiles.capture`. */
  captureFiles(): Promise<void> | undefined {
    return this.#files.capture();
  }

  /** An agent that we are ending may end its turn first. It does not know why it was stopped. */
  #explain(draft: Draft): Draft {
    const error = this.#state.closing?.error ?? this.#state.killed;
    if (!error || draft.type !== "turn.ended" || draft.outcome !== "interrupted") return draft;
    return { error, ...draft };
  }

  #onEnded(mailbox: AgentMailbox, error: unknown): void {
    this.#services.slots.release();
    if (this.#mailbox !== mailbox) return;
    this.#setMailbox(undefined);
    this.#keptMemory.disconnected();
    const { closing, killed } = this.#state;
    const intake = this.#intake;
    this.#log.act((machine) => {
      intake?.release(machine);
      recordAgentEnd(machine, { ...intake?.exit, closing, killed, error, mask: this.mask });
    });
    this.#state = { ...this.#state, killed: undefined };
    this.mask = this.#newMask();
    this.#events.gone();
  }
}
