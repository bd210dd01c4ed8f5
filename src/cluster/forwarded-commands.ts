/** Which commands one node gives to another, how long each may take, and which may be given twice. Pure. */
import type { ErrorCode } from "../core/error.ts";
import type { Store } from "../core/store.ts";
import type { Engine } from "../engine/engine.ts";

export interface ForwardedCommand {
  /** How long the other node may take. That it has died is noticed sooner. */
  readonly timeoutMs: number;
  /**
   * Whether it may be given again when nobody knows whether it was done: a second time it finds that, or does nothing more.
   * Else whoever gave it has to look.
   */
  readonly isRepeatable: boolean | ((args: readonly unknown[]) => boolean);
  /** The error by which a repeated one tells that the first was done, or that it need not be done any more. */
  readonly isOverBy?: ErrorCode;
  /** Which of these it is; done where it is absent. */
  wasDone?(store: Pick<Store, "getMessage">, args: readonly unknown[]): Promise<boolean>;
  /**
   * It works without the files of the session and without its agent, or is refused with a reason where these are missing. So
   * any node that reads its log can have it.
   */
  readonly isOnLogOnly?: boolean;
}

/** A commit, which waits while the database is away. */
const COMMIT_MS = 60_000;

/** Git, over large directories. */
const FILES_MS = 10 * 60_000;

/** An agent is started, which may be installed first. */
const AGENT_MS = 15 * 60_000;

/** What runs is stopped first, and its agent ended if it does not stop. */
const STOP_MS = 3 * 60_000;

const READ: ForwardedCommand = { timeoutMs: 30_000, isRepeatable: true, isOnLogOnly: true };
/** Where the files are at a node that is gone, any node says so. */
const READ_FILES: ForwardedCommand = { timeoutMs: FILES_MS, isRepeatable: true, isOnLogOnly: true };

/** Every command on a session. Nothing else can be asked for by another node. */
export const FORWARDED_COMMANDS = {
  createSession: { timeoutMs: FILES_MS, isRepeatable: true },
  getSession: READ,
  queue: READ,
  tasks: READ,
  checkpoints: READ,
  changes: READ_FILES,
  attach: { timeoutMs: AGENT_MS, isRepeatable: true },
  updateSession: { timeoutMs: STOP_MS, isRepeatable: true, isOnLogOnly: true },
  deleteSession: {
    timeoutMs: FILES_MS,
    isRepeatable: true,
    isOverBy: "session_not_found",
    isOnLogOnly: true,
  },
  // Its message has an id, which is found if it was accepted.
  prompt: { timeoutMs: COMMIT_MS, isRepeatable: true },
  // One that names its turn cannot hit the next.
  interrupt: { timeoutMs: COMMIT_MS, isRepeatable: ([, , turn]) => turn !== undefined, isOnLogOnly: true },
  // Given again they would take back the turn that the first one began.
  edit: { timeoutMs: STOP_MS, isRepeatable: false },
  regenerate: { timeoutMs: STOP_MS, isRepeatable: false },
  rewind: { timeoutMs: STOP_MS, isRepeatable: false },
  fork: { timeoutMs: FILES_MS, isRepeatable: true },
  restore: { timeoutMs: FILES_MS, isRepeatable: false, isOnLogOnly: true },
  approve: { timeoutMs: FILES_MS, isRepeatable: true, isOnLogOnly: true },
  reset: { timeoutMs: FILES_MS, isRepeatable: false, isOnLogOnly: true },
  changeQueued: { timeoutMs: COMMIT_MS, isRepeatable: true },
  moveQueued: { timeoutMs: COMMIT_MS, isRepeatable: true },
  sendQueued: { timeoutMs: STOP_MS, isRepeatable: false },
  withdrawQueued: {
    timeoutMs: COMMIT_MS,
    isRepeatable: true,
    isOverBy: "message_not_queued",
    // Whoever took the session over may have begun with it.
    wasDone: async (store, [session, message]) =>
      (await store.getMessage(session as string, message as string))?.state === "withdrawn",
  },
  releaseQueue: { timeoutMs: COMMIT_MS, isRepeatable: true },
  stopTask: { timeoutMs: COMMIT_MS, isRepeatable: true },
  passOn: { timeoutMs: COMMIT_MS, isRepeatable: false },
  // An equal answer succeeds again.
  reply: { timeoutMs: COMMIT_MS, isRepeatable: true },
} as const satisfies Partial<Record<keyof Engine, ForwardedCommand>>;

export type ForwardedMethod = keyof typeof FORWARDED_COMMANDS;

/** A command on its way. In JSON a list cannot say that something is absent, so the arguments are named by their places. */
export interface CommandMessage {
  method: ForwardedMethod;
  args: Record<number, unknown>;
  count: number;
}

export function encodeCommand(method: ForwardedMethod, args: readonly unknown[]): CommandMessage {
  const given = Object.entries(args).filter(([, value]) => value !== undefined);
  return { method, args: Object.fromEntries(given), count: args.length };
}

/** Undefined where it is none of ours. */
export function decodeCommand(body: unknown): { method: ForwardedMethod; args: unknown[] } | undefined {
  const { method, args, count } = (body ?? {}) as Partial<CommandMessage>;
  if (typeof method !== "string" || !Object.hasOwn(FORWARDED_COMMANDS, method)) return undefined;
  if (typeof args !== "object" || args === null || !Number.isInteger(count)) return undefined;
  if (count! < 0 || count! > MAX_ARGUMENTS) return undefined;
  return { method, args: Array.from({ length: count! }, (_, index) => args[index]) };
}

const MAX_ARGUMENTS = 8;
