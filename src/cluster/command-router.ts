/**
 * Gives a command to the node that has its session: this one, the one that is known to have it, or the one that is to take
 * it because it is free. One hop: whoever gets a command from another node does it or says who has the session.
 */
import { InterlinguaError } from "../core/error.ts";
import type { NodeAddress } from "../core/ownership.ts";
import type { Store } from "../core/store.ts";
import type { Engine } from "../engine/engine.ts";
import type { Forwarding } from "../protocol/commands/define-command.ts";
import { commandNamed } from "../protocol/commands/index.ts";
import type { CommandMessage } from "./command-message.ts";
import { KnownOwners } from "./known-owners.ts";
import { type PeerTransport, PeerUnreachableError } from "./peers/peer-transport.ts";
import { placeSession, type SessionNeeds } from "./placement.ts";
import { commandOutcomeUnknown, nodeUnreachable, noNodeFor } from "./routing-refusals.ts";
import type { SessionPlaces } from "./session-places.ts";

export interface CommandRouterOptions {
  /** That of this node. */
  local: Pick<Engine, "run">;
  places: SessionPlaces;
  transport: PeerTransport;
  store: Pick<Store, "getMessage">;
  /** The number of this node. */
  node(): number;
  /** Whether this node has the session, as far as it knows. */
  holds(session: string): boolean;
  /** Whether this node takes no more sessions. */
  isDraining?(): boolean;
  /** By a clock that never goes back. */
  now(): number;
  pause(milliseconds: number): Promise<void>;
  /** From 0 to 1. */
  random(): number;
  /** Told of each node that did not answer. */
  onUnreachable?(error: PeerUnreachableError): void;
}

/** The path of commands between nodes. */
export const COMMANDS_PATH = "/commands";

/** As long as it takes until a lost node is declared dead and somebody else has its sessions. */
const WAIT_MS = 15_000;

/** Between two looks at who has it. */
const PAUSE_MS = 250;

/** A session that moves more often at once is looked up anew. */
const MAX_FOLLOWED = 2;

/** While the answer of another node is awaited, it is looked whether that node lives. */
const WATCH_MS = 2000;

/** This node. */
const HERE = Symbol("here");

type Target = NodeAddress | typeof HERE;

/** A command, and what was tried so far. */
interface Attempt {
  readonly message: CommandMessage;
  readonly forward: Forwarding<never>;
  readonly session: string;
  /** What a session that does not exist yet needs. */
  readonly newNeeds?: SessionNeeds;
  readonly deadline: number;
  readonly avoided: Set<number>;
  /** Who has it by what another node said. */
  next?: NodeAddress;
  followed: number;
  /** A node did not do it. */
  hasFailed: boolean;
  /** An attempt may have been done although nobody said so. */
  isUnknown: boolean;
}

export class CommandRouter {
  readonly #options: CommandRouterOptions;
  readonly #owners = new KnownOwners();
  /** The last look at which nodes live. */
  #looked: { at: number; nodes: Promise<readonly NodeAddress[] | undefined> } | undefined;

  constructor(options: CommandRouterOptions) {
    this.#options = options;
  }

  /** @param newNeeds For a session that may not exist yet: what it needs. */
  async run(message: CommandMessage, session: string, newNeeds?: SessionNeeds): Promise<unknown> {
    const { forward } = commandNamed(message.command);
    if (forward === "here") throw new Error(`${message.command} is not for other nodes`);
    const attempt: Attempt = {
      ...{ message, forward, session, newNeeds },
      deadline: this.#options.now() + WAIT_MS,
      avoided: new Set(),
      next: this.#owners.get(session),
      followed: 0,
      hasFailed: false,
      isUnknown: false,
    };
    for (;;) {
      const target = await this.#target(attempt).catch((error: unknown) => {
        throw attempt.isUnknown ? outcomeUnknown(attempt, error) : error;
      });
      if (!target) continue;
      try {
        const result = await (target === HERE ? this.#here(attempt) : this.#there(target, attempt));
        if (target !== HERE) this.#owners.note(session, target);
        return result;
      } catch (error) {
        this.#owners.forget(session);
        if (attempt.isUnknown && (await this.#wasDone(attempt, error))) return undefined;
        await this.#afterFailure(attempt, target, error);
      }
    }
  }

  /** Whether this error of a repeated command tells that an attempt before it was carried out. */
  async #wasDone({ message, forward }: Attempt, error: unknown): Promise<boolean> {
    const { isOverBy, wasDone } = forward;
    if (isOverBy === undefined || !hasCode(error, isOverBy)) return false;
    return wasDone === undefined || (await wasDone(this.#options.store, message.input as never));
  }

  /** Undefined after a pause, when it is to be looked for again. */
  async #target(attempt: Attempt): Promise<Target | undefined> {
    const { session, avoided, newNeeds, forward } = attempt;
    const { holds, places, node } = this.#options;
    if (holds(session)) return HERE;
    const { next } = attempt;
    attempt.next = undefined;
    if (next) return next.id === node() ? HERE : next;
    const place = await places.find(session);
    if (place?.owner) return place.owner.id === node() ? HERE : place.owner;
    const needs = place?.needs ?? newNeeds;
    // There is no such session: the engine says so.
    if (!needs) return HERE;
    const nodes = await places.nodes();
    const { random } = this.#options;
    const chosen = placeSession(nodes, needs, { self: node(), except: avoided, random });
    if (chosen) return chosen.id === node() ? HERE : chosen;
    // Those that were avoided may be back.
    if (avoided.size > 0) {
      avoided.clear();
      const again = placeSession(nodes, needs, { self: node(), random });
      if (again) return again.id === node() ? HERE : again;
    }
    if (forward.isOnLogOnly) return HERE;
    // A node that was just lost may be back, or what it left is taken over to be ended.
    if (!attempt.hasFailed || this.#options.now() >= attempt.deadline) throw noNodeFor(session, needs, nodes);
    await this.#options.pause(PAUSE_MS);
    return undefined;
  }

  #here({ message }: Attempt): Promise<unknown> {
    return this.#options.local.run(message.command, message.input as never, message.caller);
  }

  async #there(node: NodeAddress, { message, forward }: Attempt): Promise<unknown> {
    const { transport } = this.#options;
    const { timeoutMs } = forward;
    const death = new AbortController();
    const watch = setInterval(() => void this.#abortIfDead(node, death), WATCH_MS);
    try {
      const options = { timeoutMs, signal: death.signal };
      return await transport.call(node, COMMANDS_PATH, message, options);
    } finally {
      clearInterval(watch);
    }
  }

  async #abortIfDead({ id }: NodeAddress, death: AbortController): Promise<void> {
    const nodes = await this.#look();
    if (nodes && !nodes.some((node) => node.id === id)) death.abort();
  }

  /** One look for all commands that wait. */
  #look(): Promise<readonly NodeAddress[] | undefined> {
    const { places, now } = this.#options;
    if (!this.#looked || now() - this.#looked.at >= WATCH_MS / 2)
      this.#looked = { at: now(), nodes: places.nodes().catch(() => undefined) };
    return this.#looked.nodes;
  }

  /** Throws what the caller is told, or returns when it is to be tried again. */
  async #afterFailure(attempt: Attempt, target: Target, error: unknown): Promise<void> {
    const { now, pause, onUnreachable } = this.#options;
    if (error instanceof PeerUnreachableError) onUnreachable?.(error);
    if (isElsewhere(error) && attempt.followed < MAX_FOLLOWED) {
      attempt.followed += 1;
      attempt.next = error.extras.owner;
      return;
    }
    // While it goes away, this node is to its own clients as any other: what leaves it is done elsewhere.
    const isLeaving = target === HERE && (this.#options.isDraining?.() ?? false);
    const outcome = isElsewhere(error) ? "not done" : outcomeOf(error, target !== HERE, isLeaving);
    if (outcome === "answered") throw error;
    if (outcome === "unknown") attempt.isUnknown = true;
    const isOver = now() >= attempt.deadline;
    if (attempt.isUnknown && (isOver || !isRepeatable(attempt))) throw outcomeUnknown(attempt, error);
    if (isOver) throw nodeUnreachable(attempt.session, error);
    attempt.avoided.add(target === HERE ? this.#options.node() : target.id);
    attempt.followed = 0;
    // This one does not come back.
    if (!isLeaving) attempt.hasFailed = true;
    await pause(PAUSE_MS);
  }
}

function isRepeatable({ message, forward }: Attempt): boolean {
  const { isRepeatable } = forward;
  return typeof isRepeatable === "function" ? isRepeatable(message.input as never) : isRepeatable;
}

function outcomeUnknown({ message, session }: Attempt, cause: unknown): InterlinguaError {
  const { command, input } = message;
  const { id } = input as { id?: string };
  const isNamed = command === "createSession" || command === "prompt";
  return commandOutcomeUnknown(session, cause, isNamed ? id : undefined);
}

function isElsewhere(error: unknown): error is InterlinguaError {
  return InterlinguaError.isInstance(error) && error.code === "not_owner" && error.extras.owner !== undefined;
}

/** What is known of a command that failed: `answered` is an error that belongs to the command itself. */
function outcomeOf(
  error: unknown,
  isRemote: boolean,
  isLeaving: boolean,
): "answered" | "not done" | "unknown" {
  if (error instanceof PeerUnreachableError) return error.mayHaveArrived ? "unknown" : "not done";
  // Its owner lost the session while it did this.
  if (hasCode(error, "session_moved")) return "unknown";
  // It has not begun, and leaves the session to others.
  if ((isRemote || isLeaving) && hasCode(error, "shutting_down")) return "not done";
  // It has lost touch with the database, and others may take its sessions.
  if (isRemote && hasCode(error, "store_busy")) return "unknown";
  return "answered";
}

function hasCode(error: unknown, code: string): boolean {
  return InterlinguaError.isInstance(error) && error.code === code;
}
