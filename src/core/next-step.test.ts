/** What a session does next: a table of single decisions, and random walks of a session and its daemon. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type NextStep, nextStep, type SessionFacts } from "./next-step.ts";
import { emptyState, nextPrompt, type QueuedPrompt, type SessionState } from "./session-state.ts";

const READY: SessionFacts = {
  isEnding: false,
  isDraining: false,
  access: "full",
  isEnvironmentMissing: false,
  agent: "ready",
  retry: "none",
  settings: "applied",
  content: "memory",
  checkpoint: "done",
};

function queued(message: string): QueuedPrompt {
  return { message, bytes: 1, contentSeq: 1, whenBusy: "queue", at: 0, seq: 1 };
}

function stateWith(more: Partial<SessionState> = {}): SessionState {
  return { ...emptyState("s"), queue: [queued("u1")], ...more };
}

function turnOf(origin: "user" | "agent", id = "t1"): Pick<SessionState, "turn"> {
  return { turn: { id, origin } as NonNullable<SessionState["turn"]> };
}

const restore = { checkpoint: "c" } as NonNullable<SessionState["restore"]>;

/** The type of a step, with what it waits for. */
function named(step: NextStep): string {
  return step.type === "wait" ? `wait ${step.for}` : step.type;
}

describe("the next step of a session", () => {
  it.each<[step: string, facts: Partial<SessionFacts>, state?: Partial<SessionState>]>([
    // One prompt, from its acceptance to the agent.
    ["connect", { agent: "absent" }],
    ["wait agent", { agent: "starting" }],
    ["configure", { settings: "due" }],
    ["wait settings", { settings: "changing" }],
    ["read", { content: "log" }],
    ["wait content", { content: "reading" }],
    ["checkpoint", { checkpoint: "due" }],
    ["wait checkpoint", { checkpoint: "running" }],
    ["dispatch", {}],
    // The checkpoint is last: what changes after it is not in it.
    ["connect", { agent: "absent", settings: "due", content: "log", checkpoint: "due" }],
    ["configure", { settings: "due", content: "log", checkpoint: "due" }],
    ["read", { content: "log", checkpoint: "due" }],
    // Nothing begins while a change of settings is under way: not even the agent is started.
    ["wait settings", { agent: "absent", settings: "changing" }],
    // A prompt that daemons died of waits in the line before anything is done for it.
    ["retry", { agent: "absent", retry: "due", settings: "changing" }],
    ["wait retry", { agent: "absent", retry: "waiting" }],
    // Without a prompt.
    ["idle", {}, { queue: [] }],
    ["idle", { agent: "absent", settings: "due" }, { queue: [] }],
    ["configure", { settings: "due" }, { queue: [] }],
    ["wait settings", { settings: "changing" }, { queue: [] }],
    ["idle", {}, { queueHeld: { at: 0 } }],
    ["idle", {}, { queue: [{ ...queued("u1"), held: true }] }],
    ["dispatch", {}, { queue: [{ ...queued("u1"), held: true }, queued("u2")] }],
    // Obstacles.
    ["wait end", {}, { closed: true }],
    ["wait end", { isEnding: true }],
    ["wait agent", { agent: "ending" }],
    ["wait environment", { isEnvironmentMissing: true }],
    ["wait drain", { isDraining: true }],
    ["wait access", { access: "log" }],
    ["wait restore", {}, { restore }],
    // An agent that could not be started fails one prompt, whatever else; during a restore there are no turns.
    ["fail", { agent: "starting", impossible: "u1" }],
    ["fail", { isEnding: true, impossible: "u1" }],
    ["wait restore", { impossible: "u1" }, { restore }],
    ["dispatch", { impossible: "u0" }],
    ["wait end", { impossible: "u1" }, { closed: true }],
    // Turns.
    ["wait turn", {}, turnOf("user")],
    ["wait turn", {}, { ...turnOf("agent"), queue: [] }],
    ["wait silence", {}, turnOf("agent")],
    ["preempt", { preemptible: "t1" }, turnOf("agent")],
    ["wait silence", { preemptible: "t0" }, turnOf("agent")],
    ["checkpoint", { preemptible: "t1", checkpoint: "due" }, turnOf("agent")],
    ["retry", { preemptible: "t1", retry: "due" }, turnOf("agent")],
    ["wait turn", { preemptible: "t1" }, { ...turnOf("agent"), queue: [] }],
    ["wait drain", { preemptible: "t1", isDraining: true }, turnOf("agent")],
  ])("%s with %j and %j", (step, facts, state) => {
    expect(named(nextStep(stateWith(state), { ...READY, ...facts }))).toBe(step);
  });

  it("is for the first prompt that is not held", () => {
    const state = stateWith({ queue: [{ ...queued("u1"), held: true }, queued("u2"), queued("u3")] });
    expect(nextStep(state, READY)).toMatchObject({ type: "dispatch", prompt: { message: "u2" } });
    expect(nextStep(state, { ...READY, impossible: "u3" })).toMatchObject({ type: "dispatch" });
  });
});

type Work = "connect" | "configure" | "read" | "checkpoint" | "retry";

const EVENTS = [
  "accept",
  "withdraw",
  "rotate",
  "hold",
  "release",
  "turn ends",
  "agent speaks",
  "agent turn",
  "agent is silent",
  "agent dies",
  "restore",
  "restored",
  "settings change",
  "settings settle",
  "environment lost",
  "environment given",
  "content dropped",
  "suspect",
] as const;

const OFTEN = ["accept", "turn ends", "agent turn", "agent is silent"] as const;

/** `ends` chooses one of the steps that run. */
type Happening = (typeof EVENTS)[number] | { readonly ends: number; readonly fails: boolean };

const happening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...EVENTS) },
  // Often, so that walks come far.
  { weight: 3, arbitrary: fc.constantFrom(...OFTEN) },
  {
    weight: 5,
    arbitrary: fc.record({ ends: fc.nat(3), fails: fc.nat(3).map((chance) => chance === 0) }),
  },
);

/** A session and its daemon, as simple as they can be. Each step takes until the walk ends it, and may fail. */
class World {
  readonly state = stateWith({ queue: [] });
  readonly running = new Map<Work, string | undefined>();
  readonly dispatched: string[] = [];
  readonly failed: string[] = [];
  #agent: "absent" | "ready" = "absent";
  #silent: string | undefined;
  #impossible: string | undefined;
  #isChanging = false;
  #isEnvironmentMissing = false;
  readonly #inMemory = new Set<string>();
  readonly #configured = new Set<string | undefined>();
  #suspect: string | undefined;
  #count = 0;

  /** As the loop of a session does it. */
  wake(before?: string): void {
    const { state } = this;
    for (let steps = 0; ; steps += 1) {
      expect(steps, "a wake comes to an end").toBeLessThanOrEqual(state.queue.length + this.#count);
      const step = nextStep(state, this.#facts(before));
      if (!this.#carryOut(step, before)) break;
    }
    if (!state.restore) this.#impossible = undefined;
  }

  #facts(before: string | undefined): SessionFacts {
    const message = nextPrompt(this.state)?.message;
    const isSuspect = message !== undefined && message === this.#suspect;
    return {
      ...READY,
      isEnvironmentMissing: this.#isEnvironmentMissing,
      agent: this.#agent === "absent" && this.running.has("connect") ? "starting" : this.#agent,
      impossible: this.#impossible,
      preemptible: this.#agent === "ready" ? this.#silent : undefined,
      retry: !isSuspect ? "none" : this.running.has("retry") ? "waiting" : "due",
      settings: this.#isChanging || this.running.has("configure") ? "changing" : this.#settings(message),
      content: this.#inMemory.has(message ?? "") ? "memory" : this.running.has("read") ? "reading" : "log",
      checkpoint: before === message ? "done" : this.running.has("checkpoint") ? "running" : "due",
    };
  }

  #settings(message: string | undefined): SessionFacts["settings"] {
    return this.#configured.has(message) ? "applied" : "due";
  }

  /** True where the next step follows at once. */
  #carryOut(step: NextStep, before: string | undefined): boolean {
    const { state } = this;
    switch (step.type) {
      case "wait":
      case "idle":
        return false;
      case "fail":
        this.failed.push(step.prompt.message);
        this.#impossible = undefined;
        this.#remove(step.prompt.message);
        return true;
      case "dispatch":
      case "preempt":
        expect(state.restore, "no turn begins during a restore").toBeUndefined();
        expect(this.#agent, "the agent is ready").toBe("ready");
        expect(before, "its checkpoint was taken right before").toBe(step.prompt.message);
        expect(this.#inMemory, "its content is read").toContain(step.prompt.message);
        expect(this.#suspect, "it is not prepared beside others that daemons died of").not.toBe(before);
        expect(state.turn?.id, "only a silent turn is preempted").toBe(
          step.type === "preempt" ? this.#silent : undefined,
        );
        this.dispatched.push(step.prompt.message);
        this.#remove(step.prompt.message);
        Object.assign(state, turnOf("user", this.#newId("t")));
        return true;
      default:
        expect(this.running.has(step.type), `${step.type} runs once at a time`).toBe(false);
        this.running.set(step.type, step.prompt?.message);
        return false;
    }
  }

  #remove(message: string): void {
    this.state.queue = this.state.queue.filter((prompt) => prompt.message !== message);
  }

  #newId(prefix: string): string {
    this.#count += 1;
    return `${prefix}${this.#count}`;
  }

  happen(what: Happening): void {
    const running = [...this.running.keys()];
    if (typeof what === "object") {
      const work = running[what.ends % running.length];
      return work && this.end(work, what.fails);
    }
    const { state } = this;
    const isReady = this.#agent === "ready";
    if (what === "accept") {
      const message = this.#newId("u");
      state.queue.push(queued(message));
      if (this.#count % 2 === 0) this.#inMemory.add(message);
    } else if (what === "withdraw") state.queue.shift();
    else if (what === "rotate") state.queue.push(...state.queue.splice(0, 1));
    else if (what === "hold") state.queueHeld = { at: 0 };
    else if (what === "release") state.queueHeld = undefined;
    else if (what === "turn ends") state.turn = undefined;
    else if (what === "agent speaks") this.#silent = undefined;
    else if (what === "agent turn" && isReady && !state.restore)
      state.turn ??= turnOf("agent", this.#newId("t")).turn;
    else if (what === "agent is silent" && state.turn?.origin === "agent") this.#silent = state.turn.id;
    else if (what === "agent dies") this.#die();
    else if (what === "restore" && !state.turn) state.restore = restore;
    else if (what === "restored") state.restore = undefined;
    else if (what === "settings change") this.#isChanging = true;
    else if (what === "settings settle") this.#isChanging = false;
    else if (what === "environment lost") this.#isEnvironmentMissing = true;
    else if (what === "environment given") this.#isEnvironmentMissing = false;
    else if (what === "content dropped") this.#inMemory.clear();
    else if (what === "suspect" && !this.running.has("retry")) this.#suspect = state.queue[0]?.message;
    this.wake();
  }

  #die(): void {
    this.#agent = "absent";
    this.#silent = undefined;
    this.#configured.clear();
    this.state.turn = undefined;
  }

  /** A step that runs ends. */
  end(work: Work, fails: boolean): void {
    const message = this.running.get(work);
    this.running.delete(work);
    const isNext = nextPrompt(this.state)?.message === message;
    if (fails && work !== "checkpoint" && work !== "retry" && isNext) this.#impossible = message;
    else if (work === "connect" && !fails) this.#agent = "ready";
    else if (work === "read" && !fails && message !== undefined) this.#inMemory.add(message);
    else if (work === "retry") this.#suspect = undefined;
    if (work === "configure") this.#configured.add(message);
    // Where there can be no checkpoint the prompt goes on without.
    const impossible = this.state.restore ? undefined : this.#impossible;
    this.wake(work === "checkpoint" ? message : undefined);
    if (impossible !== undefined) expect(this.failed, "what is impossible has failed").toContain(impossible);
  }

  /** Everything that is waited for comes, and steps succeed. */
  settle(): void {
    for (const what of ["restored", "settings settle", "environment given", "release"] as const)
      this.happen(what);
    for (let rounds = 0; this.running.size > 0 || this.state.turn || nextPrompt(this.state); rounds += 1) {
      expect(rounds, "every prompt comes to its turn").toBeLessThan(1000);
      for (const work of [...this.running.keys()]) this.end(work, false);
      if (this.state.turn) this.happen("turn ends");
    }
  }
}

describe("a session that takes its steps", () => {
  it("gives each prompt to the agent once, begins nothing too early and never waits for nothing", () => {
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 60, size: "max" }), (happenings) => {
        const world = new World();
        for (const what of happenings) world.happen(what);
        world.settle();
        expect(world.state.queue).toEqual([]);
        const ended = [...world.dispatched, ...world.failed];
        expect(new Set(ended).size).toBe(ended.length);
      }),
      { numRuns: 2000 },
    );
  });

  it("begins nothing where something stands in the way", () => {
    const facts = fc.record<SessionFacts>({
      isEnding: fc.boolean(),
      isDraining: fc.boolean(),
      access: fc.constantFrom("full", "log"),
      isEnvironmentMissing: fc.boolean(),
      agent: fc.constantFrom("absent", "starting", "ready", "ending"),
      preemptible: fc.constantFrom(undefined, "t1"),
      retry: fc.constantFrom("none", "due", "waiting"),
      settings: fc.constantFrom("applied", "due", "changing"),
      content: fc.constantFrom("memory", "log", "reading"),
      checkpoint: fc.constantFrom("done", "due", "running"),
    });
    const state = fc.record({
      closed: fc.boolean(),
      restore: fc.constantFrom(undefined, restore),
      queue: fc.constantFrom<QueuedPrompt[][]>([], [queued("u1")]),
      queueHeld: fc.constantFrom(undefined, { at: 0 }),
      turn: fc.constantFrom(undefined, turnOf("user").turn, turnOf("agent").turn),
    });
    fc.assert(
      fc.property(state, facts, (some, given) => {
        const step = nextStep(stateWith(some), given);
        if (step.type === "wait") return;
        expect(some).toMatchObject({ closed: false, restore: undefined });
        expect(given).toMatchObject({ isEnding: false, isDraining: false, isEnvironmentMissing: false });
        expect(given.access).toBe("full");
        if (step.type !== "retry") expect(given.settings).not.toBe("changing");
        if (step.type !== "idle" && step.type !== "configure") expect(some.queueHeld).toBeUndefined();
        if (some.turn && step.type !== "preempt") expect(given.preemptible).toBe(some.turn.id);
        if (step.type !== "dispatch" && step.type !== "preempt") return;
        expect(given).toMatchObject({ ...READY, preemptible: given.preemptible });
        expect(some.turn?.id).toBe(step.type === "preempt" ? step.turn : undefined);
      }),
      { numRuns: 10_000 },
    );
  });
});
