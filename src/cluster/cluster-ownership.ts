/** Ownership where several nodes share a database: what this node has, under its lease. */
import { InterlinguaError } from "../core/error.ts";
import {
  type Claim,
  FIRST_EPOCH,
  FULL_ACCESS,
  type Owned,
  type OwnedElsewhere,
  type Ownership,
  type OwnershipListener,
  type SessionAccess,
} from "../core/ownership.ts";
import { storeBusy } from "../store/read-problems.ts";
import type { LeaseState, NodeLease } from "./node-lease.ts";
import type { GrantedClaim, SessionClaims } from "./session-claims.ts";
import { TakeOver } from "./take-over.ts";

/** The processes of this node's agents. */
export interface NodeProcesses {
  /** Stops them where they are, at once. */
  freeze(): void;
  /** Stops them after this long, also when this process is stopped itself by then. A later call replaces this one. */
  freezeIn(milliseconds: number): void;
  /** They go on. */
  thaw(): void;
  /** Ends them all. Resolves when they are gone. */
  endAll(): Promise<void>;
}

export interface ClusterOwnershipOptions {
  /** That of this node. */
  name: string;
  lease: Pick<NodeLease, "node" | "check">;
  claims: Pick<SessionClaims, "claim" | "findOwner" | "findOrphans" | "findOwned" | "release">;
  processes: NodeProcesses;
  now(): number;
}

/** A session can be released or claimed while its owner is being looked up. */
const CLAIM_ATTEMPTS = 3;

export class ClusterOwnership implements Ownership {
  readonly #options: ClusterOwnershipOptions;
  /** The epochs of sessions that this node has. */
  readonly #held = new Map<string, number>();
  /** Those of them to which this node has log-only access. */
  readonly #logOnly = new Set<string>();
  /** Those whose claim is under way. */
  readonly #claiming = new Set<string>();
  readonly #takeOver: TakeOver;
  /** For metrics. */
  readonly counts = { claims: 0, takeovers: 0 };
  #isDraining = false;
  #problem: string | undefined;
  readonly #watchers = new Set<(session: string, isHere: boolean) => void>();
  #suspension: PromiseWithResolvers<void> | undefined;
  #listener: OwnershipListener | undefined;

  constructor(options: ClusterOwnershipOptions) {
    this.#options = options;
    this.#takeOver = new TakeOver(options);
  }

  get nodeName(): string {
    return this.#options.name;
  }

  /** How many sessions this node has. */
  get size(): number {
    return this.#held.size;
  }

  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** From now on nothing is claimed. */
  drain(): void {
    this.#isDraining = true;
  }

  /** While there is a problem nothing is claimed: others could not reach it here. */
  setAside(problem: string | undefined): void {
    this.#problem = problem;
  }

  get #takesNothing(): boolean {
    return this.#isDraining || this.#problem !== undefined;
  }

  listen(listener: OwnershipListener): void {
    this.#listener = listener;
  }

  /** Whether this node has it. */
  has(session: string): boolean {
    return this.#held.has(session);
  }

  /** Calls it when this node has a session from now on, or no longer. Returns a function that unsubscribes. */
  onMoved(watcher: (session: string, isHere: boolean) => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  #hold(session: string, epoch: number): void {
    this.#held.set(session, epoch);
    for (const watcher of this.#watchers) watcher(session, true);
  }

  #tellReleased(session: string): void {
    // It may have been claimed again.
    if (!this.#held.has(session)) for (const watcher of this.#watchers) watcher(session, false);
  }

  get suspended(): Promise<void> | undefined {
    // A process that was stopped looks at the clock before its timers do.
    this.#options.lease.check();
    return this.#suspension?.promise;
  }

  async claim(session: string): Promise<Owned | OwnedElsewhere | undefined> {
    if (this.suspended) throw outOfTouch();
    if (this.#takesNothing) return this.#findOwner(session);
    this.#claiming.add(session);
    try {
      return await this.#claim(session);
    } catch (error) {
      throw InterlinguaError.isInstance(error) ? error : storeBusy(error);
    } finally {
      this.#claiming.delete(session);
    }
  }

  async #claim(session: string): Promise<Owned | OwnedElsewhere | undefined> {
    const { lease, claims } = this.#options;
    const { node } = lease;
    for (let attempt = 0; attempt < CLAIM_ATTEMPTS; attempt += 1) {
      const granted = await claims.claim(session, node);
      // Declared dead meanwhile: nobody here holds it.
      if (lease.node !== node || lease.check() === "lost") break;
      if (granted) {
        const { epoch, lostNode, isSettled } = granted;
        const access = accessOf(granted);
        const isLogOnly = access.is === "log";
        this.#hold(session, epoch);
        if (isLogOnly) this.#logOnly.add(session);
        else this.#logOnly.delete(session);
        this.counts.claims += 1;
        if (lostNode !== null) this.counts.takeovers += 1;
        return {
          claim: { node, epoch },
          lostNode: lostNode ?? undefined,
          ...(isLogOnly && { access, isSettled }),
        };
      }
      const found = await claims.findOwner(session, node);
      if (!found) return undefined;
      if (found.isNewer) throw writtenByNewer(session);
      if (found.node && found.node.id !== node) return { owner: found.node };
    }
    throw outOfTouch();
  }

  /** Of a session that is not ours and will not be. */
  async #findOwner(session: string): Promise<OwnedElsewhere | undefined> {
    const { lease, claims } = this.#options;
    const found = await claims.findOwner(session, lease.node).catch((error: unknown) => {
      throw storeBusy(error);
    });
    if (!found) return undefined;
    if (found.node && found.node.id !== lease.node) return { owner: found.node };
    throw this.#refusal();
  }

  #refusal(): InterlinguaError {
    return this.#isDraining || this.#problem === undefined ? leaving() : setAside(this.#problem);
  }

  claimNew(session: string): Claim {
    if (this.suspended) throw outOfTouch();
    if (this.#takesNothing) throw this.#refusal();
    this.#hold(session, FIRST_EPOCH);
    return { node: this.#options.lease.node, epoch: FIRST_EPOCH };
  }

  async release(session: string, claim: Claim | undefined, isSettled = false): Promise<void> {
    if (!claim) return;
    const { node, epoch } = claim;
    const isLogOnly = this.#held.get(session) === epoch && this.#logOnly.delete(session);
    if (this.#held.get(session) === epoch) this.#held.delete(session);
    const as = { isLogOnly, isSettled: isLogOnly && isSettled };
    // One that fails is found by `reconcile`.
    await this.#options.claims.release(session, node, epoch, as).catch(() => {});
    this.#tellReleased(session);
  }

  findOrphans(): Promise<string[]> {
    return this.#takeOver.findOrphans();
  }

  /** Takes up what is in the middle of something and has no owner. Rejects where the database cannot be reached. */
  async takeUpOrphans(): Promise<void> {
    if (!this.#listener || this.suspended || this.#takesNothing) return;
    await this.#takeOver.takeUpOrphans(this.#listener);
  }

  /** Releases what names this node and is not here: claims whose answer was lost. Rejects as `takeUpOrphans` does. */
  async reconcile(): Promise<void> {
    const { lease, claims } = this.#options;
    const { node } = lease;
    for (const { session, epoch } of await claims.findOwned(node)) {
      const isHere = this.#held.has(session) || this.#claiming.has(session);
      if (!isHere) await claims.release(session, node, epoch);
    }
  }

  /** Follows the lease. */
  note(state: LeaseState): void {
    const { processes } = this.#options;
    if (state === "live") {
      processes.thaw();
      this.#suspension?.resolve();
      this.#suspension = undefined;
      return;
    }
    const isNew = this.#suspension === undefined;
    this.#suspension ??= Promise.withResolvers();
    processes.freeze();
    if (isNew) this.#listener?.suspended();
  }

  /** This node was declared dead: what it had may be others' by now. Resolves when nothing works for it any more. */
  async giveUp(): Promise<void> {
    const sessions = [...this.#held.keys()];
    this.#held.clear();
    this.#logOnly.clear();
    for (const session of sessions) this.#tellReleased(session);
    await this.#listener?.lost();
    await this.#options.processes.endAll();
  }
}

function accessOf({ filesAt, filesAtNumber, isAgentMissing }: GrantedClaim): SessionAccess {
  if (filesAt === null) return isAgentMissing ? { is: "log", missing: "agent" } : FULL_ACCESS;
  const number = filesAtNumber !== null && { nodeNumber: filesAtNumber };
  return { is: "log", missing: "files", node: filesAt, ...number };
}

function outOfTouch(): InterlinguaError {
  const detail =
    "This node has lost touch with the database and waits until it is known whether others have taken its sessions over. Try again.";
  return new InterlinguaError("store_busy", detail, { retryAfterSeconds: 2 });
}

/** This node was told to go. */
function leaving(): InterlinguaError {
  const detail = "This node is going away and takes no more sessions. Try again: another node takes it.";
  return new InterlinguaError("shutting_down", detail, { retryAfterSeconds: 1 });
}

function setAside(problem: string): InterlinguaError {
  return new InterlinguaError("node_unreachable", problem, { retryAfterSeconds: 10 });
}

function writtenByNewer(session: string): InterlinguaError {
  const detail = `Session "${session}" was written by a newer version of Interlingua, which this node cannot read. Call a node of that version.`;
  return new InterlinguaError("not_owner", detail);
}
