/**
 * The checkpoints of one session: taken when it is created, before each prompt and at the end of each turn. One that fails or
 * is late never loses a prompt. What a checkpoint holds is the workspace's.
 */
import { join } from "node:path";
import { boundDraft } from "../core/bound-draft.ts";
import type { EventOf } from "../core/event.ts";
import type { SessionMachine } from "../core/session-machine.ts";
import type { OpenTurn } from "../core/session-state.ts";
import type { Checkpoint, FileDifference, Workspace } from "../core/workspace.ts";
import type { CheckpointKind } from "../core/workspace-fields.ts";
import type { AgentConnection } from "./agent-connection.ts";
import { type AttributedChanges, attributeChanges } from "./attribute-changes.ts";
import { changedSince } from "./changed-since.ts";
import type { Services } from "./engine-services.ts";
import { errorText } from "./error-text.ts";
import type { SessionLog } from "./session-log.ts";
import { settledWithin } from "./settled-within.ts";

/** What an event names of the files that a checkpoint does not have. */
export const MAX_NAMED_FILES = 100;
/** More files of others in one turn than these are not named: then each that changed may be somebody else's. */
const MAX_OTHERS_FILES = 1000;
/** More changes of one turn than these are not told one by one. */
const MAX_EDITS = 1000;
/** All diffs of one turn together, in characters. Later ones are left out. */
const MAX_DIFF_LENGTH = 4 * 1024 * 1024;
/** By this much the clock of a file system may be behind ours. */
const FILE_CLOCK_LAG_MS = 20;
/** The daemon is being stopped: nobody waits long. */
const STOPPING_MS = 2000;

const KINDS = { added: "created", modified: "changed", deleted: "deleted" } as const;

/** A prompt may be dispatched; undefined fields where there is no checkpoint. */
interface Prepared {
  readonly message: string;
  readonly checkpoint?: Checkpoint;
  /** The agent's own turn that the prompt overtakes, and what it changed unsaid. */
  readonly overtaken?: { readonly turn: string; readonly changes?: AttributedChanges };
}

export interface SessionCheckpointsOptions {
  log: SessionLog;
  connection: Pick<AgentConnection, "mask" | "notice" | "prepareDiffMask">;
  services: Pick<Services, "workspace" | "checkpoints" | "limits" | "logger" | "inRestore" | "turns" | "now">;
  /** The session is being closed, or the daemon is stopping. */
  hasEnded(): boolean;
}

export class SessionCheckpoints {
  readonly #log: SessionLog;
  readonly #connection: SessionCheckpointsOptions["connection"];
  readonly #services: SessionCheckpointsOptions["services"];
  readonly #hasEnded: () => boolean;
  readonly #abort = new AbortController();
  /** Whether the workspace can serve the directory, once somebody asked. */
  #serves: Promise<boolean> | undefined;
  #isServed: boolean | undefined;
  /** The one that the session begins with. It comes before all others. */
  #first: Promise<void> | undefined;
  #preparing = false;
  #prepared: Prepared | undefined;
  #ending: Promise<void> | undefined;
  /** Whether a turn has ended since the session was made or loaded; one that was copied is none. */
  #hasWorked = false;
  /** Captures and what is done with them. */
  readonly #underWay = new Set<Promise<unknown>>();

  constructor({ log, connection, services, hasEnded }: SessionCheckpointsOptions) {
    this.#log = log;
    this.#connection = connection;
    this.#services = services;
    this.#hasEnded = hasEnded;
  }

  /** Undefined where checkpoints are off, for the session or for the daemon, or cannot be taken as far as is known. */
  get workspace(): Workspace | undefined {
    const { checkpoints } = this.#services;
    const isOff = checkpoints === "off" || this.#log.state.checkpoints === "off" || this.#isServed === false;
    return isOff ? undefined : this.#services.workspace;
  }

  /** Whether a prompt is about to be dispatched. */
  get isPreparing(): boolean {
    return this.#preparing;
  }

  /** Whether the agent has ended its turn, and only the checkpoint is missing. */
  get isEnding(): boolean {
    return this.#ending !== undefined;
  }

  /** Whether something of it will still write into the log. */
  get isUnderWay(): boolean {
    return this.#underWay.size > 0 || this.#preparing || this.isEnding;
  }

  /** The agent's own turn that the prepared prompt may overtake. */
  get overtaken(): string | undefined {
    return this.#prepared?.overtaken?.turn;
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

  /** Whether the prompt may be dispatched now. If not, `goOn` is called when it may: then this is true while that runs. */
  prepare(message: string, goOn: () => void): boolean {
    const { state } = this.#log;
    if (this.#prepared?.message === message) return true;
    const isHeld = state.restore !== undefined || this.#services.inRestore.isHeld(state.cwd);
    if (!this.workspace && !isHeld) return true;
    if (!this.#preparing) void this.#prepare(message, goOn);
    return false;
  }

  /** The checkpoint before the prepared prompt, once it is in the log. */
  recordBefore(machine: SessionMachine, message: string): string | undefined {
    if (this.#prepared?.message !== message) return undefined;
    const { checkpoint, overtaken } = this.#prepared;
    if (!checkpoint) return undefined;
    const { turn } = machine.state;
    if (overtaken?.changes && overtaken.turn === turn?.id)
      this.#recordEnd(machine, checkpoint, overtaken.turn, overtaken.changes);
    else record(machine, checkpoint, { kind: "before" });
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
    knownUntil: () => Promise<number>,
    taking: Promise<Checkpoint> = this.take(),
  ): void {
    void this.#during(async () => {
      const checkpoint = await taking;
      const { cwd } = this.#log.state;
      const changes = await this.#compareTurn(turn, checkpoint);
      const { foreign, mixed } = await this.#attribute(turn, changes);
      const others = new Set(foreign);
      const paths = changes.map(({ path }) => path).filter((path) => !others.has(path));
      const later = await changedSince(cwd, paths, await knownUntil());
      const { state } = this.#log;
      // Others may have worked on the files since.
      if (state.turn || state.checkpoint !== undefined || !this.#canWrite) return;
      const place = {
        kind: "after",
        endOf: turn.id,
        ...asFields(foreign, [...new Set([...mixed, ...later])]),
      } as const;
      this.#log.act((machine) => record(machine, checkpoint, place));
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
      return workspace.capture({ session, directory }, this.#abort.signal);
    });
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

  get #canWrite(): boolean {
    return !this.#log.hasEnded && !this.#log.state.closed && !this.#hasEnded();
  }

  async #findObstacle(): Promise<boolean> {
    const { workspace } = this;
    if (!workspace) return false;
    const { state } = this.#log;
    const obstacle = await workspace.obstacle(state.cwd);
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
      this.#log.act((machine) => record(machine, checkpoint, { kind: "created" }));
  }

  async #prepare(message: string, goOn: () => void): Promise<void> {
    const { state } = this.#log;
    this.#preparing = true;
    try {
      await this.#services.inRestore.released(state.cwd);
      this.#prepared = { message, ...(await this.#takeBefore()) };
    } finally {
      this.#preparing = false;
    }
    try {
      goOn();
    } finally {
      // What changes from now on is not in it.
      this.#prepared = undefined;
    }
  }

  async #takeBefore(): Promise<Omit<Prepared, "message">> {
    // One that the agent began by itself, and that has fallen silent.
    const { turn } = this.#log.state;
    const without = turn ? { overtaken: { turn: turn.id } } : {};
    if (!this.workspace) return without;
    const result = await this.#inTime(async () => {
      await this.#first;
      if (!(await this.canServe())) return without;
      const checkpoint = await this.take();
      if (turn?.before === undefined) return { ...without, checkpoint };
      return { checkpoint, overtaken: { turn: turn.id, changes: await this.#changesOf(turn, checkpoint) } };
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
      return { checkpoint, changes: await this.#changesOf(turn, checkpoint) };
    });
    using _masked = "value" in result ? await this.#prepareEdits(result.value.changes) : undefined;
    if (this.#log.hasEnded || this.#log.state.turn?.id !== turn.id) return;
    if ("value" in result) {
      const { checkpoint, changes } = result.value;
      this.#log.act((machine) => this.#recordEnd(machine, checkpoint, turn.id, changes));
      return;
    }
    this.#say("warning", `What changed in this turn is not known in full: ${result.problem}`);
    this.recordLate(turn, async () => endedAt, taking);
  }

  async #changesOf(turn: OpenTurn, checkpoint: Checkpoint): Promise<AttributedChanges> {
    const changes = await this.#attribute(turn, await this.#compareTurn(turn, checkpoint));
    if (!beganByItself(turn)) return changes;
    // What changed before it began is not told as an edit of it.
    const paths = changes.unreported.map(({ path }) => path);
    const since = turn.startedAt - FILE_CLOCK_LAG_MS;
    const edited = new Set(await changedSince(this.#log.state.cwd, paths, since));
    return { ...changes, unreported: changes.unreported.filter(({ path }) => edited.has(path)) };
  }

  /** What changed between the checkpoint the turn started from and this one. */
  async #compareTurn({ before }: OpenTurn, { id }: Checkpoint): Promise<FileDifference[]> {
    const request = { directory: this.#log.state.cwd, from: before!, to: id };
    return this.#services.workspace!.compare(request, this.#abort.signal);
  }

  #attribute(turn: OpenTurn, changes: readonly FileDifference[]): Promise<AttributedChanges> {
    const { state } = this.#log;
    const others = this.#services.turns.beside(state, turn.startedAt);
    const own = { cwd: state.cwd, edited: turn.edited ?? [] };
    return attributeChanges(changes, own, others, others.length > 0 || beganByItself(turn));
  }

  #recordEnd(
    machine: SessionMachine,
    checkpoint: Checkpoint,
    turn: string,
    { unreported, foreign, mixed }: AttributedChanges,
  ): void {
    this.#applyEdits(machine, unreported);
    record(machine, checkpoint, {
      kind: "after",
      turn,
      ...asFields(foreign, mixed),
    });
  }

  #prepareEdits({ unreported }: AttributedChanges): Promise<Disposable> | undefined {
    return this.#connection.prepareDiffMask(toEdits(unreported).map(({ diff }) => diff ?? ""));
  }

  /** They go the way of what the agent says: masked, bounded, and with their place in the turn. */
  #applyEdits(machine: SessionMachine, changes: readonly FileDifference[]): void {
    const { mask } = this.#connection;
    const { maxToolOutputBytes } = this.#services.limits;
    for (const { path, kind, diff } of toEdits(changes)) {
      const edit = { type: "file.edited", path: join(machine.state.cwd, path), kind } as const;
      for (const masked of mask.draft({ ...edit, ...(diff !== undefined && { diff }) }))
        for (const bounded of boundDraft(masked, maxToolOutputBytes)) machine.apply(bounded);
    }
    const more = changes.length - MAX_EDITS;
    if (more <= 0) return;
    const text = `${more} more files changed in this turn. Ask for the changes of the turn to see them all.`;
    machine.apply({ type: "notice", level: "info", code: "checkpoint", text });
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
    if (!this.#log.hasEnded && !this.#log.state.closed) this.#connection.notice(level, "checkpoint", text);
  }

  #logFailure(error: unknown): void {
    if (!this.#abort.signal.aborted)
      this.#services.logger.warn(
        { err: error, session: this.#log.state.id },
        "a checkpoint could not be taken",
      );
  }
}

/** Its first checkpoint is from the end of the turn before: between the two a person may have worked. */
function beganByItself({ origin }: OpenTurn): boolean {
  return origin === "agent";
}

/** What is told one by one. */
function toEdits(changes: readonly FileDifference[]) {
  let length = 0;
  return changes.slice(0, MAX_EDITS).map(({ path, status, diff }) => {
    length += diff?.length ?? 0;
    return { path, kind: KINDS[status], diff: length <= MAX_DIFF_LENGTH ? diff : undefined };
  });
}

function asFields(foreign: readonly string[], mixed: readonly string[]) {
  const isForeignNamed = foreign.length <= MAX_OTHERS_FILES;
  const allMixed = !isForeignNamed || mixed.length > MAX_OTHERS_FILES;
  return {
    ...(foreign.length > 0 && isForeignNamed && { foreign: [...foreign] }),
    ...(mixed.length > 0 && !allMixed && { mixed: [...mixed] }),
    ...(allMixed && { allMixed }),
  };
}

export function record(
  machine: SessionMachine,
  { id, uncovered }: Pick<Checkpoint, "id" | "uncovered">,
  place: Pick<EventOf<"checkpoint.created">, "turn" | "endOf" | "foreign" | "mixed" | "allMixed"> & {
    kind: CheckpointKind;
  },
): void {
  machine.emit({
    type: "checkpoint.created",
    checkpoint: id,
    ...place,
    ...(uncovered.length > 0 && { uncovered: uncovered.slice(0, MAX_NAMED_FILES) }),
  });
}
