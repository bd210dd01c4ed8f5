/**
 * The checkpoints of one session: taken when it is created, before each prompt and at the end of each turn. One that fails or
 * is late never loses a prompt. What a checkpoint holds is the workspace's.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { errorText } from "../../core/error-text.ts";
import type { SessionMachine } from "../../core/session-machine.ts";
import type { OpenTurn } from "../../core/session-state.ts";
import type { Checkpoint, Workspace } from "../../core/workspace.ts";
import type { AgentConnection } from "../agent/agent-connection.ts";
import type { Services } from "../engine-services.ts";
import type { SessionLog } from "../session/session-log.ts";
import { settledWithin } from "../settled-within.ts";
import type { AttributedChanges } from "./attribute-changes.ts";
import {
  type EditBounds,
  othersFields,
  recordCheckpoint,
  recordTurnEnd,
  toldDiffs,
} from "./record-checkpoint.ts";
import { changesOfPastTurn, changesOfTurn, type PastTurn, type TurnChangesOptions } from "./turn-changes.ts";
import { workedElsewhere } from "./worked-elsewhere.ts";

/** Between two looks at whether another node still restores files. */
const SHARED_RETRY_MS = 250;

/** The daemon is being stopped: nobody waits long. */
const STOPPING_MS = 2000;

/** Of checkpoints. Files with other names could make more of them before each prompt. */
const MAX_NOTICES = 100;

const REMOTE = "The agent runs elsewhere, and the files it works on are not here.";

/** The files as they are right before a prompt; without a checkpoint where there can be none. */
interface FilesBefore {
  readonly checkpoint?: Checkpoint;
  /** The agent's own turn that the prompt preempts, and what it changed unsaid. */
  readonly preempted?: { readonly turn: string; readonly changes?: AttributedChanges };
}

/**
 * Holds only as long as nothing else runs: what changes later is not in it. Once it is disposed of, other nodes may work in
 * the directory as far as the log allows.
 */
export interface CheckpointBefore extends FilesBefore, Disposable {
  /** The prompt that it was taken for. */
  readonly message: string;
}

export interface SessionCheckpointsOptions {
  log: SessionLog;
  connection: Pick<AgentConnection, "mask" | "notice" | "prepareDiffMask" | "captureFiles" | "bringFiles">;
  services: Pick<
    Services,
    | "workspace"
    | "checkpoints"
    | "limits"
    | "logger"
    | "inRestore"
    | "turns"
    | "now"
    | "store"
    | "directories"
  >;
  /** The session is being closed, or the daemon is stopping. */
  hasEnded(): boolean;
  /** The agent works on files of another machine. */
  isRemote?: boolean;
}

export class SessionCheckpoints {
  readonly #log: SessionLog;
  readonly #connection: SessionCheckpointsOptions["connection"];
  readonly #services: SessionCheckpointsOptions["services"];
  readonly #hasEnded: () => boolean;
  readonly #isRemote: boolean;
  readonly #abort = new AbortController();
  /** Whether the workspace can serve the directory, once somebody asked. */
  #serves: Promise<boolean> | undefined;
  #isServed: boolean | undefined;
  /** The one that the session begins with. It comes before all others. */
  #first: Promise<void> | undefined;
  /** The prompt that work is done for, and not only waited. */
  #working: string | undefined;
  #ending: Promise<void> | undefined;
  /** Whether a turn has ended since the session was made or loaded; one that was copied is none. */
  #hasWorked = false;
  /** Notices that the log has. */
  readonly #said = new Set<string>();
  /** Captures and what is done with them. */
  readonly #underWay = new Set<Promise<unknown>>();

  constructor({ log, connection, services, hasEnded, isRemote }: SessionCheckpointsOptions) {
    this.#log = log;
    this.#connection = connection;
    this.#services = services;
    this.#hasEnded = hasEnded;
    this.#isRemote = isRemote ?? false;
  }

  /** Undefined where checkpoints are off, for the session or for the daemon, or cannot be taken as far as is known. */
  get workspace(): Workspace | undefined {
    const { checkpoints } = this.#services;
    const isOff = checkpoints === "off" || this.#log.state.checkpoints === "off" || this.#isServed === false;
    if (this.#log.access.missing === "files") return undefined;
    return isOff ? undefined : this.#services.workspace;
  }

  /** The prompt before which a checkpoint is being taken. */
  get working(): string | undefined {
    return this.#working;
  }

  /** Whether the agent has ended its turn, and only the checkpoint is missing. */
  get isEnding(): boolean {
    return this.#ending !== undefined;
  }

  /** Whether something of it will still write into the log. */
  get isUnderWay(): boolean {
    return this.#underWay.size > 0 || this.isEnding;
  }

  /** Whether `takeBefore` comes before the next prompt: for a checkpoint, or to wait for a restore. */
  get isNeededBefore(): boolean {
    const { inRestore, directories } = this.#services;
    const { cwd } = this.#log.state;
    return this.workspace !== undefined || inRestore.isHeld(cwd) || directories?.isShared(cwd) === true;
  }

  /** Begins the first one. Nobody waits for it. */
  begin(): void {
    if (!this.workspace) return;
    this.#first = this.#during(() => this.#takeFirst()).catch((error) => this.#logFailure(error));
  }

  /** Nothing is taken any more. Resolves when what was under way has ended, or does not end. */
  async stop(): Promise<void> {
    this.#abort.abort(new Error("the session has ended"));
    await settledWithin([...this.#underWay], STOPPING_MS);
  }

  /** Whether there can be checkpoints. The first answer is said and kept; if there is none, the next caller asks again. */
  canServe(): Promise<boolean> {
    this.#serves ??= this.#during(() => this.#findObstacle()).catch((error) => {
      this.#serves = undefined;
      throw error;
    });
    return this.#serves;
  }

  /** Writes the checkpoint before a prompt into the log. Gives its id. */
  recordBefore(machine: SessionMachine, { checkpoint, preempted }: CheckpointBefore): string | undefined {
    if (!checkpoint) return undefined;
    const { turn } = machine.state;
    if (preempted?.changes && preempted.turn === turn?.id)
      recordTurnEnd(machine, checkpoint, preempted.turn, preempted.changes, this.#editBounds);
    else recordCheckpoint(machine, checkpoint, { kind: "before" });
    return checkpoint.id;
  }

  /** The agent is about to end its turn: what has to be waited for first. */
  turnEnding(): Promise<void> | undefined {
    const { state } = this.#log;
    const { turn } = state;
    if (!turn || this.#log.hasEnded) return undefined;
    this.#hasWorked = true;
    if (!this.isEnding) this.#services.turns.note(state, turn, this.#services.now());
    if (!this.workspace || turn.before === undefined) return undefined;
    this.#ending ??= this.#finishTurn(turn).finally(() => {
      this.#ending = undefined;
    });
    return this.#ending;
  }

  /**
   * The checkpoint at the end of a turn that is over: the daemon's end cut it short, or it took too long. Nobody waits for it.
   * What changed after the moment until which the turn is known may be anybody's.
   */
  recordLate(
    turn: OpenTurn,
    circumstances: () => Promise<PastTurn>,
    taking: Promise<Checkpoint> = this.take(),
  ): void {
    void this.#during(async () => {
      const checkpoint = await taking;
      if (!(await this.#isKept(turn.before))) return;
      const { foreign, mixed } = await changesOfPastTurn(turn, checkpoint, circumstances, this.#turnChanges);
      const { state } = this.#log;
      // Others may have worked on the files since.
      if (state.turn || state.checkpoint !== undefined || !this.#canWrite) return;
      const place = { kind: "after", endOf: turn.id, ...othersFields(foreign, mixed) } as const;
      this.#log.act((machine) => recordCheckpoint(machine, checkpoint, place));
    }).catch((error) => this.#logFailure(error));
  }

  /** Takes one now. Rejects where there can be none. */
  async take(): Promise<Checkpoint> {
    return this.#during(async () => {
      const { id: session, cwd: directory } = this.#log.state;
      const isServed = await this.canServe();
      const { workspace } = this;
      if (!isServed || !workspace)
        throw new Error(this.#log.state.checkpointObstacle ?? "checkpoints are off");
      const checkpoint = await workspace.capture({ session, directory }, this.#abort.signal);
      this.#sayNew(checkpoint.notices ?? []);
      return checkpoint;
    });
  }

  /** Each notice once: the next checkpoint has it again. */
  #sayNew(notices: readonly string[]): void {
    if (!this.#canWrite) return;
    for (const text of notices) {
      if (this.#said.has(text) || this.#said.size >= MAX_NOTICES) continue;
      this.#said.add(text);
      this.#say("warning", text);
    }
  }

  /** Files that another node has captured are laid down: what is restored or approved are those of the session. */
  bringFiles(): Promise<void> {
    return this.#during(() => this.#connection.bringFiles(this.#abort.signal));
  }

  /** Files were restored: other nodes go on from them. Never rejects. */
  async noteRestored(): Promise<void> {
    await this.#connection.captureFiles();
  }

  /** Whether a checkpoint is here: that of a turn at another node may be there. */
  async #isKept(checkpoint: string | undefined): Promise<boolean> {
    if (checkpoint === undefined) return false;
    const kept = await this.#services.workspace?.findKept(this.#log.state.cwd, [checkpoint]);
    return kept?.has(checkpoint) === true;
  }

  /** Keeps the session in memory meanwhile. */
  async #during<Result>(work: () => Promise<Result>): Promise<Result> {
    const working = work();
    this.#underWay.add(working);
    try {
      return await working;
    } finally {
      this.#underWay.delete(working);
    }
  }

  get #turnChanges(): TurnChangesOptions {
    const { workspace, turns } = this.#services;
    const { state } = this.#log;
    return {
      state,
      workspace: workspace!,
      turns,
      elsewhere: (since) => workedElsewhere(this.#services, state, since),
      signal: this.#abort.signal,
    };
  }

  get #editBounds(): EditBounds {
    const { maxToolOutputBytes } = this.#services.limits;
    return { mask: this.#connection.mask, maxToolOutputBytes };
  }

  get #canWrite(): boolean {
    return !this.#log.hasEnded && !this.#log.state.closed && !this.#hasEnded();
  }

  async #findObstacle(): Promise<boolean> {
    const { workspace } = this;
    if (!workspace) return false;
    const { state } = this.#log;
    const obstacle = this.#isRemote ? REMOTE : await workspace.obstacle(state.cwd);
    this.#isServed = obstacle === undefined;
    if (obstacle === state.checkpointObstacle || !this.#canWrite) return this.#isServed;
    this.#log.act((machine) => machine.emit({ type: "session.updated", checkpointObstacle: obstacle ?? "" }));
    if (obstacle !== undefined)
      this.#say("info", `What the agent changes here cannot be undone: ${obstacle}`);
    return this.#isServed;
  }

  async #takeFirst(): Promise<void> {
    if (!(await this.canServe())) return;
    const checkpoint = await this.take();
    const { state } = this.#log;
    const hasBegun = state.turn !== undefined || this.#hasWorked || state.checkpoint !== undefined;
    if (!hasBegun && this.#canWrite)
      this.#log.act((machine) => recordCheckpoint(machine, checkpoint, { kind: "created" }));
  }

  /** Takes the checkpoint before a prompt once no restore runs in the directory. */
  async takeBefore(message: string): Promise<CheckpointBefore> {
    try {
      await this.#services.inRestore.released(this.#log.state.cwd);
      const leave = await this.#during(() => this.#enterShared(message));
      this.#workFor(message);
      const files = await this.#takeFiles();
      // From then on the log shows that the session works.
      const free = () => leave && this.#during(() => this.#log.flush().then(leave, leave));
      return { message, ...files, [Symbol.dispose]: () => void free()?.catch(() => {}) };
    } finally {
      this.#working = undefined;
    }
  }

  #workFor(message: string | undefined): void {
    this.#working = message;
    this.#log.notePreparing();
  }

  /** Tells other nodes that a turn begins, once none of them restores files there. Gives what takes that back. */
  async #enterShared(message: string): Promise<(() => Promise<void>) | undefined> {
    const { directories, inRestore } = this.#services;
    const { id: session, cwd: directory } = this.#log.state;
    if (!directories?.isShared(directory)) return undefined;
    while (this.#canWrite) {
      this.#workFor(message);
      try {
        const leave = await directories.announce({ session, directory, kind: "prompt" });
        const isFree = !(await directories.findRestore(directory));
        // One that another node began may have become ours meanwhile.
        if (isFree && !inRestore.isHeld(directory)) return leave;
        await leave();
      } catch (error) {
        this.#logFailure(error);
      }
      this.#workFor(undefined);
      await sleep(SHARED_RETRY_MS);
      await inRestore.released(directory);
    }
    return undefined;
  }

  async #takeFiles(): Promise<FilesBefore> {
    // One that the agent began by itself, and that has fallen silent.
    const { turn } = this.#log.state;
    const without = turn ? { preempted: { turn: turn.id } } : {};
    if (!this.workspace) return without;
    const result = await this.#inTime(async () => {
      await this.#first;
      if (!(await this.canServe())) return without;
      const checkpoint = await this.take();
      if (turn?.before === undefined) return { ...without, checkpoint };
      return {
        checkpoint,
        preempted: { turn: turn.id, changes: await changesOfTurn(turn, checkpoint, this.#turnChanges) },
      };
    });
    if ("value" in result) return result.value;
    this.#say("warning", `What the agent changes in this turn cannot be undone: ${result.problem}`);
    return without;
  }

  async #finishTurn(turn: OpenTurn): Promise<void> {
    const endedAt = this.#services.now();
    const taking = this.take();
    const result = await this.#inTime(async () => {
      const checkpoint = await taking;
      return { checkpoint, changes: await changesOfTurn(turn, checkpoint, this.#turnChanges) };
    });
    using _masked =
      "value" in result
        ? await this.#connection.prepareDiffMask(toldDiffs(result.value.changes.unreported))
        : undefined;
    if (this.#log.hasEnded || this.#log.state.turn?.id !== turn.id) return;
    if ("value" in result) {
      const { checkpoint, changes } = result.value;
      this.#log.act((machine) => recordTurnEnd(machine, checkpoint, turn.id, changes, this.#editBounds));
      return;
    }
    this.#say("warning", `What changed in this turn is not known in full: ${result.problem}`);
    this.recordLate(turn, async () => ({ knownUntil: endedAt }), taking);
  }

  /** The work goes on if it is late: the next checkpoint needs what it has read. */
  async #inTime<Value>(work: () => Promise<Value>): Promise<{ value: Value } | { problem: string }> {
    const limit = this.#services.limits.checkpointTimeoutMs;
    const ms = this.#hasEnded() ? Math.min(limit, STOPPING_MS) : limit;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<{ problem: string }>((resolve) => {
      const problem = `the checkpoint was not ready after ${ms / 1000} seconds.`;
      timer = setTimeout(resolve, ms, { problem });
    });
    const done = this.#during(work).then(
      (value) => ({ value }),
      (error) => ({ problem: errorText(error) }),
    );
    return Promise.race([done, late]).finally(() => clearTimeout(timer));
  }

  #say(level: "info" | "warning", text: string): void {
    this.#connection.notice(level, "checkpoint", text);
  }

  #logFailure(error: unknown): void {
    if (!this.#abort.signal.aborted)
      this.#services.logger.warn(
        { err: error, session: this.#log.state.id },
        "a checkpoint could not be taken",
      );
  }
}
