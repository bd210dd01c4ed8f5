/**
 * A session that is made and whose agent starts while a person still writes the first prompt. It is used once, or deleted:
 * when something else is wanted, and when the page goes. There is one at most.
 */
import type { SessionDetails, UpdateSession } from "../api/types.ts";

/** What makes another session necessary. All else can be changed in the one that is there. */
export interface WarmChoice {
  agent: string;
  cwd: string;
}

export interface WarmState {
  choice: WarmChoice;
  phase: "starting" | "ready" | "failed";
  /** What the agent told about itself, once it is ready. */
  details?: SessionDetails;
  /** Why it did not start. */
  problem?: string;
  /** Of the session, once it is made. */
  id?: string;
}

export interface WarmCalls {
  newId: () => string;
  create: (id: string, choice: WarmChoice) => Promise<void>;
  attach: (id: string) => Promise<SessionDetails>;
  update: (id: string, change: UpdateSession) => Promise<SessionDetails>;
  /** `isLeaving`: the page goes. */
  remove: (id: string, isLeaving: boolean) => Promise<void>;
  /** It is in use from now on. */
  used: (id: string) => void;
  explain: (error: unknown) => string;
}

interface Current {
  readonly id: string;
  readonly made: Promise<boolean>;
  state: WarmState;
}

export class WarmSession {
  readonly #calls: WarmCalls;
  readonly #listeners = new Set<() => void>();
  #current: Current | undefined;
  /** Made, or about to be, and not used. */
  #unused: ReadonlySet<string> = new Set();

  constructor(calls: WarmCalls) {
    this.#calls = calls;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly getState = (): WarmState | undefined => this.#current?.state;

  /** Those that no list should show; another set after each change. */
  readonly getUnused = (): ReadonlySet<string> => this.#unused;

  /** Makes one for this choice unless it is there. Undefined: none is wanted any more. */
  want(choice: WarmChoice | undefined): void {
    if (isSame(this.#current?.state.choice, choice)) return;
    this.#drop(false);
    if (!choice) return;
    const id = this.#calls.newId();
    this.#setUnused((ids) => ids.add(id));
    const made = this.#calls.create(id, choice).then(
      () => true,
      (error: unknown) => {
        this.#forget(id);
        this.#set(id, { phase: "failed", problem: this.#calls.explain(error) });
        return false;
      },
    );
    this.#current = { id, made, state: { choice, phase: "starting" } };
    this.#tell();
    void made.then((isMade) => (isMade ? this.#start(id) : undefined));
  }

  /** Changes what the session is set to. Rejects where the agent refuses; does nothing where there is none. */
  async update(change: UpdateSession): Promise<void> {
    const current = this.#current;
    if (!current || !(await current.made)) return;
    const details = await this.#calls.update(current.id, change);
    this.#set(current.id, { details });
  }

  /** Hands it over: it is no longer this one's to delete. Undefined where there is none for this choice. */
  async take(choice: WarmChoice): Promise<string | undefined> {
    const current = this.#current;
    if (!current || !isSame(current.state.choice, choice)) return undefined;
    this.#current = undefined;
    this.#tell();
    if (!(await current.made)) return undefined;
    this.#calls.used(current.id);
    this.#forget(current.id);
    return current.id;
  }

  /** The page goes. */
  leave(): void {
    this.#drop(true);
  }

  async #start(id: string): Promise<void> {
    this.#set(id, { id });
    try {
      this.#set(id, { phase: "ready", details: await this.#calls.attach(id) });
    } catch (error) {
      this.#set(id, { phase: "failed", problem: this.#calls.explain(error) });
    }
  }

  #drop(isLeaving: boolean): void {
    const current = this.#current;
    if (!current) return;
    this.#current = undefined;
    this.#tell();
    const remove = async () => {
      // The page does not live to see that it was made. The daemon gets the two in this order.
      if (!isLeaving && !(await current.made)) return;
      await this.#calls.remove(current.id, isLeaving);
    };
    const done = () => this.#forget(current.id);
    remove().then(done, done);
  }

  #set(id: string, change: Partial<WarmState>): void {
    const current = this.#current;
    if (current?.id !== id) return;
    current.state = { ...current.state, ...change };
    this.#tell();
  }

  #forget(id: string): void {
    this.#setUnused((ids) => ids.delete(id));
    this.#tell();
  }

  #setUnused(change: (ids: Set<string>) => void): void {
    const ids = new Set(this.#unused);
    change(ids);
    this.#unused = ids;
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

function isSame(one: WarmChoice | undefined, other: WarmChoice | undefined): boolean {
  return one?.agent === other?.agent && one?.cwd === other?.cwd;
}
