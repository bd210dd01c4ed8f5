/**
 * The loop of one session: asks `nextStep` what comes next and carries it out. Whoever changes something that a session may
 * wait for calls `wake`, and nothing else.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { InterlinguaError } from "../../core/error.ts";
import { errorText } from "../../core/error-text.ts";
import type { TurnError } from "../../core/event.ts";
import { type NextStep, nextStep, type SessionFacts } from "../../core/next-step.ts";
import { firstFree, nextPrompt, type QueuedPrompt } from "../../core/session-state.ts";
import type { PromptPreparation } from "../../core/store.ts";
import type { AgentConnection } from "../agent/agent-connection.ts";
import type { SettingsChanges } from "../agent/settings-changes.ts";
import type { Services } from "../engine-services.ts";
import type { CheckpointBefore, SessionCheckpoints } from "../files/session-checkpoints.ts";
import type { PromptDispatch } from "../prompts/prompt-dispatch.ts";
import { PromptRetry } from "../prompts/prompt-preparation.ts";
import type { SessionLog } from "./session-log.ts";
import type { TurnWatch } from "./turn-watch.ts";

/** The pause after a step that failed because the store could not be read. */
const RETRY_MS = 500;

export interface SessionStepsOptions {
  log: SessionLog;
  connection: AgentConnection;
  watch: TurnWatch;
  settings: Pick<SettingsChanges, "isUnderWay" | "isDue" | "prepare" | "forgetRestored">;
  checkpoints: Pick<SessionCheckpoints, "isNeededBefore" | "takeBefore" | "working">;
  dispatch: Pick<PromptDispatch, "begin">;
  services: Pick<Services, "identity" | "retries" | "commit">;
}

/** Why a prompt cannot begin; `raw` names a record that says more. */
interface Impossible {
  readonly message: string;
  readonly error: TurnError;
  readonly raw?: number;
}

export class SessionSteps {
  readonly #log: SessionLog;
  readonly #options: SessionStepsOptions;
  readonly #retry: PromptRetry;
  /** Steps that take a while, and the prompts they are for. */
  readonly #running = new Map<"connect" | "read" | "checkpoint", string>();
  #impossible: Impossible | undefined;
  #hasEnded = false;
  #isDraining = false;

  constructor(options: SessionStepsOptions) {
    const { log, services } = options;
    this.#options = options;
    this.#log = log;
    this.#retry = new PromptRetry({ services, changed: () => this.wake() });
    const { storedPreparing } = log;
    log.preparing = () => (log.access.is === "log" ? storedPreparing : this.#preparation);
  }

  /** Something has changed: takes the next step, if there is one. */
  wake(): void {
    this.#run();
  }

  /** Nothing new begins. What waits stays in the log. */
  end(): void {
    this.#hasEnded = true;
    this.#retry.end();
    this.#log.notePreparing();
  }

  /** The session is being closed, or the daemon is stopping. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Prompts are taken and wait: the next node to have the session begins with them. */
  drain(): void {
    this.#isDraining = true;
  }

  /** Daemons have died while they prepared this prompt: it is prepared when no other such prompt is. */
  retryAlone(message: string, deaths: number): void {
    this.#retry.begin(message, deaths);
  }

  /** Starts the agent, whether a prompt waits or not. Gives the reason if it could not be started. */
  async attach(): Promise<InterlinguaError | undefined> {
    const failure = await this.#options.connection.connect();
    this.wake();
    return failure;
  }

  /** The prompt that is next gets a turn that says why it cannot begin. */
  refuse(error: TurnError, raw?: number): void {
    const prompt = nextPrompt(this.#log.state);
    if (prompt) this.#impossible = { message: prompt.message, error, raw };
    this.wake();
  }

  /** Whether the next prompt waits only for its content, for the store, for its checkpoint or for the end of a restore. */
  get isBeginning(): boolean {
    return this.#running.size > 0 || this.#log.state.restore !== undefined;
  }

  /** Whether a prompt is about to be dispatched: its checkpoint is being taken. */
  get isTakingCheckpoint(): boolean {
    return this.#running.has("checkpoint");
  }

  /** A checkpoint holds for the step that follows it. */
  #run(before?: CheckpointBefore): void {
    const { state } = this.#log;
    let step: NextStep;
    do {
      // A prompt that is gone is retried no more.
      this.#retry.endUnless((message) => state.queue.some((queued) => queued.message === message));
      step = nextStep(state, this.#facts(before));
      this.#carryOut(step, before);
    } while (step.type === "fail" || step.type === "dispatch" || step.type === "preempt");
    // During a restore there are no turns, so it is said after that.
    if (!state.restore) this.#impossible = undefined;
    this.#log.notePreparing();
  }

  #facts(before: CheckpointBefore | undefined): SessionFacts {
    const { connection, watch, settings, checkpoints } = this.#options;
    const { access, contents, hasEnded, state } = this.#log;
    const prompt = nextPrompt(state);
    const isInMemory = prompt && contents.kept(prompt.message) !== undefined;
    const isChecked = !checkpoints.isNeededBefore || (before && before.message === prompt?.message);
    return {
      isEnding: this.#hasEnded || hasEnded,
      isDraining: this.#isDraining,
      access: access.is,
      isEnvironmentMissing: connection.isEnvironmentMissing,
      agent: this.#agent,
      impossible: this.#impossible?.message,
      preemptible: before?.preempted?.turn ?? watch.silentTurn,
      retry: this.#retry.stateOf(prompt?.message),
      settings: settings.isUnderWay ? "changing" : settings.isDue(prompt) ? "due" : "applied",
      content: isInMemory ? "memory" : this.#running.has("read") ? "reading" : "log",
      checkpoint: isChecked ? "done" : this.#running.has("checkpoint") ? "running" : "due",
    };
  }

  get #agent(): SessionFacts["agent"] {
    const { isClosing, isReady, isConnecting } = this.#options.connection;
    if (isClosing) return "ending";
    if (isReady) return "ready";
    return isConnecting || this.#running.has("connect") ? "starting" : "absent";
  }

  #carryOut(step: NextStep, before: CheckpointBefore | undefined): void {
    const { connection, watch, settings } = this.#options;
    switch (step.type) {
      case "wait":
        if (step.for === "silence") watch.awaitSilence(() => this.wake());
        return;
      case "idle":
        watch.resting();
        if (connection.isReady) settings.forgetRestored();
        return;
      case "fail":
        return this.#fail(step.prompt);
      case "retry":
        return void this.#retry.enter();
      case "connect":
        return void this.#connect(step.prompt);
      case "configure":
        return this.#configure(step.prompt);
      case "read":
        settings.forgetRestored(step.prompt);
        return void this.#read(step.prompt);
      case "checkpoint":
        settings.forgetRestored(step.prompt);
        return void this.#takeCheckpoint(step.prompt);
      case "dispatch":
      case "preempt":
        settings.forgetRestored(step.prompt);
        return this.#dispatch(step.prompt, before);
    }
  }

  #fail({ message }: QueuedPrompt): void {
    const { error, raw } = this.#impossible!;
    this.#impossible = undefined;
    this.#log.act((machine) => {
      machine.dispatch(message);
      machine.from(raw, () => machine.endTurn("failed", error));
    });
  }

  async #connect({ message }: QueuedPrompt): Promise<void> {
    this.#running.set("connect", message);
    const failure = await this.#options.connection.connect();
    // What waits goes on waiting until the store can be read.
    if (failure?.code === "store_busy") await sleep(RETRY_MS, undefined, { ref: false });
    this.#running.delete("connect");
    this.wake();
  }

  #configure(prompt: QueuedPrompt | undefined): void {
    this.#options.settings.prepare(prompt, (refusal) => {
      if (!prompt || !refusal || nextPrompt(this.#log.state) !== prompt) return;
      this.refuse({ code: refusal.code, message: refusal.message });
    });
  }

  async #read(prompt: QueuedPrompt): Promise<void> {
    const { contents, state } = this.#log;
    // As it is now: it may be changed while it is being read.
    const wanted = { ...prompt };
    this.#running.set("read", wanted.message);
    try {
      await this.#log.flush();
      const parts = await contents.read(wanted);
      const isCurrent = firstFree(state) === prompt && prompt.contentSeq === wanted.contentSeq;
      if (isCurrent) contents.keep(wanted.message, parts);
    } catch (error) {
      const code = InterlinguaError.isInstance(error) ? error.code : "session_damaged";
      // After a passing failure it is read again. What still waits at the end stays in the log.
      if (code === "store_busy") await sleep(RETRY_MS);
      else if (nextPrompt(state) === prompt && !this.#hasEnded)
        this.refuse({ code, message: `The prompt could not be read from the log: ${errorText(error)}` });
    }
    this.#running.delete("read");
    this.wake();
    contents.trim(firstFree(state)?.message);
  }

  async #takeCheckpoint({ message }: QueuedPrompt): Promise<void> {
    this.#running.set("checkpoint", message);
    let taken: CheckpointBefore;
    try {
      taken = await this.#options.checkpoints.takeBefore(message);
    } finally {
      this.#running.delete("checkpoint");
    }
    // From here to the end of the step nothing else runs.
    using before = taken;
    this.#run(before);
  }

  #dispatch({ message }: QueuedPrompt, before: CheckpointBefore | undefined): void {
    const parts = this.#log.contents.kept(message)!;
    const taken = before?.message === message ? before : undefined;
    const error = this.#options.dispatch.begin(message, parts, taken);
    if (error) this.#impossible = { message, error };
  }

  get #preparation(): PromptPreparation | undefined {
    const message = this.#hasEnded ? undefined : this.#prepared;
    return message === undefined
      ? undefined
      : { message, ...this.#options.services.identity, deaths: this.#retry.deathsOf(message) };
  }

  /** The prompt that the daemon works for. One that waits for its turn, for a slot or for a restore is none. */
  get #prepared(): string | undefined {
    const { connection, checkpoints } = this.#options;
    const { state } = this.#log;
    const begun = this.#retry.announced ?? checkpoints.working ?? this.#running.get("read");
    if (begun !== undefined || state.turn || !connection.isStarting) return begun;
    return nextPrompt(state)?.message;
  }
}
