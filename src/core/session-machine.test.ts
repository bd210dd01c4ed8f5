import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sloppyDraft } from "../testkit/sloppy-drafts.ts";
import { checkLog } from "./check-log.ts";
import type { Draft } from "./draft.ts";
import { eventSchema, type SessionEvent } from "./event.ts";
import { evolve } from "./evolve.ts";
import { foldMessages } from "./fold-messages.ts";
import { SessionMachine } from "./session-machine.ts";
import { emptyState, nextPrompt, parseState, serializeState } from "./session-state.ts";
import { sessionStatus } from "./session-status.ts";

function createMachine() {
  let messages = 0;
  let now = 1000;
  const machine = new SessionMachine(emptyState("s"), {
    now: () => now++,
    messageId: () => `m${++messages}`,
  });
  const log: SessionEvent[] = [];
  const run = (...drafts: Draft[]) => {
    for (const draft of drafts) machine.apply(draft, 1);
    log.push(...machine.take());
    return log;
  };
  const act = (change: (machine: SessionMachine) => void) => {
    change(machine);
    log.push(...machine.take());
  };
  act((it) => it.create({ agent: "test", cwd: "/" }));
  return { machine, log, run, act };
}

function startedMachine() {
  const created = createMachine();
  created.run({ type: "session.attached", agentSessionId: "n1" });
  created.act((machine) => {
    machine.acceptPrompt("u1", [{ type: "text", text: "hi" }], "queue");
    machine.dispatch("u1");
  });
  return created;
}

const typesOf = (log: SessionEvent[]) => log.map((event) => event.type);
const last = (log: SessionEvent[]) => log.at(-1)!;

it("the end of what an agent did by itself ends the turn of a prompt", () => {
  const { log, run, act } = startedMachine();
  const end: Draft = { type: "turn.ended", outcome: "interrupted", origin: "agent" };
  run(end);
  expect(typesOf(log)).not.toContain("turn.ended");
  run({ type: "turn.ended", outcome: "completed" }, { type: "text.delta", part: "p", delta: "More." }, end);
  expect(last(log)).toMatchObject({ type: "turn.ended", outcome: "interrupted" });
  act((machine) => machine.detach("exit"));
  expect(checkLog(log, { complete: true })).toEqual([]);
});

describe("who speaks", () => {
  const speakers = (log: SessionEvent[]) =>
    log.filter(({ type }) => type.startsWith("session.") || /^(turn|message)\.started$/.test(type));

  it("stands on every event of the session, and on the beginning of turns and messages", () => {
    const { log, run, act } = startedMachine();
    run({ type: "session.updated", title: "T" }, { type: "turn.ended", outcome: "completed" });
    run({ type: "turn.started", cause: "task", text: "Its work ended." });
    act((machine) => machine.detach("exit"));
    act((machine) => machine.emit({ type: "session.closed" }));
    expect(new Set(speakers(log).map(({ type }) => type)).size).toBe(7);
    for (const event of speakers(log)) expect(event).toHaveProperty("agent", "test");
    expect(checkLog(log, { complete: true })).toEqual([]);
  });

  it("is the model in force when a message began, whatever was set later", () => {
    const { log, run, act } = startedMachine();
    // Some agents name their model only while they work.
    run({ type: "session.updated", model: "small" }, { type: "session.updated", model: "big" });
    run({ type: "turn.ended", outcome: "completed" });
    act((machine) => {
      machine.acceptPrompt("u2", [{ type: "text", text: "more" }], "queue");
      machine.dispatch("u2");
      machine.emit({ type: "session.updated", model: "huge" });
    });
    run({ type: "turn.ended", outcome: "completed" });
    const models = log.flatMap((event) =>
      event.type === "message.started" || event.type === "turn.ended" ? [event.model] : [],
    );
    expect(models).toEqual([undefined, "big", "big", "big"]);
  });

  it("is what the agent says when it begins to work, where it was set to a name that says less", () => {
    const { log, act } = startedMachine();
    act((machine) => {
      machine.apply({ type: "session.updated", model: "default" }, 1);
      machine.apply({ type: "session.updated", model: "big-2026" }, 2);
      machine.apply({ type: "step.started" }, 3);
      machine.apply({ type: "session.updated", model: "next" }, 4);
      machine.apply({ type: "turn.ended", outcome: "completed" }, 5);
    });
    expect(log.at(-1)).toMatchObject({ type: "turn.ended", model: "big-2026" });
  });

  it("may be missing: a log from before it was noted reads and folds", () => {
    const { log, run } = startedMachine();
    run({ type: "text.delta", delta: "Hi" }, { type: "turn.ended", outcome: "completed" });
    const old = log.map((event) => {
      if (event.type === "session.created") return event;
      const {
        agent: _agent,
        model: _model,
        ...rest
      } = event as SessionEvent & { agent?: string; model?: string };
      return eventSchema.parse(rest);
    });
    expect(checkLog(old)).toEqual([]);
    const state = emptyState("s");
    for (const event of old) evolve(state, event);
    expect(state).toMatchObject({ agent: "test", head: old.length });
    expect(foldMessages(old).map(({ role }) => role)).toEqual(["user", "assistant"]);
  });
});

describe("the session machine", () => {
  it("keeps a bounded number of parts, calls, asks and tasks open, however many an agent opens", () => {
    const { machine, run } = startedMachine();
    for (let at = 0; at < 3000; at += 1) {
      run(
        { type: "tool.start", call: `c${at}`, name: "Bash" },
        { type: "text.start", part: `p${at}` },
        { type: "ask.opened", ask: `a${at}`, kind: "permission", call: `c${at}`, title: "?", options: [] },
        { type: "task.started", task: `k${at}`, title: "work", call: `c${at}` },
      );
    }
    const { parts, calls, asks, tasks } = machine.state;
    expect([parts.size, asks.size, tasks.size]).toEqual([1000, 100, 1000]);
    expect(calls.size).toBeLessThanOrEqual(1000 + 256);
    const log = run({ type: "turn.ended", outcome: "completed" });
    expect(log.filter((event) => event.type === "notice")).toHaveLength(4);
    expect(log.find((event) => event.type === "tool.abandoned")).toMatchObject({
      reason: "too many calls are running",
    });
    expect(checkLog(log)).toEqual([]);
  });

  it("keeps a bounded number of calls running also after one that was settled early", () => {
    const { machine, run } = startedMachine();
    run(
      { type: "tool.start", call: "early", name: "Bash" },
      { type: "tool.output", call: "early", output: "done" },
    );
    for (let at = 0; at < 3000; at += 1) run({ type: "tool.start", call: `c${at}`, name: "Bash" });
    expect([...machine.state.calls.values()].filter(({ settled }) => !settled)).toHaveLength(1000);
  });

  it("closes what an agent leaves open, in order, when the turn ends", () => {
    const { run } = startedMachine();
    const log = run(
      { type: "text.delta", part: "a", delta: "x" },
      { type: "tool.start", call: "c", name: "Bash" },
      { type: "ask.opened", ask: "q", kind: "permission", call: "c", title: "?", options: [] },
      { type: "turn.ended", outcome: "completed" },
    );
    expect(typesOf(log).slice(-5)).toEqual([
      "ask.closed",
      "text.end",
      "tool.abandoned",
      "step.ended",
      "turn.ended",
    ]);
    expect(checkLog(log, { complete: true })).toEqual([]);
  });

  it("starts an agent-origin turn with a system message for content nobody asked for", () => {
    const { run } = createMachine();
    const log = run(
      { type: "text.delta", part: "a", delta: "x" },
      { type: "turn.ended", outcome: "completed" },
    );
    expect(typesOf(log).slice(1, 5)).toEqual([
      "turn.started",
      "message.system",
      "message.started",
      "step.started",
    ]);
    expect(checkLog(log, { complete: true })).toEqual([]);
  });

  it("opens no ghost of a call that an ask names and nobody announced", () => {
    const { run } = startedMachine();
    const ask: Draft = {
      type: "ask.opened",
      ask: "q",
      kind: "question",
      title: "?",
      options: [],
      call: "nobody",
    };
    const log = run(ask);
    expect(log.filter(({ type }) => type === "tool.start")).toEqual([]);
    expect(log.find(({ type }) => type === "ask.opened")).toMatchObject({ title: "?", call: undefined });
  });

  it("denies a declined call with the person's words and drops what the agent makes of it", () => {
    const { run, act } = startedMachine();
    run(
      { type: "tool.start", call: "c", name: "Bash" },
      {
        type: "ask.opened",
        ask: "q",
        kind: "permission",
        call: "c",
        title: "?",
        options: [{ id: "no", label: "No", effect: "reject" }],
      },
    );
    act((machine) => {
      const [ask] = machine.state.asks.keys();
      machine.answerAsk(ask!, { option: "no", message: "use a dry run" }, "owner");
      machine.closeAsk(ask!, "answered", true);
    });
    const log = run({ type: "tool.failed", call: "c", error: "rejected" });
    expect(last(log)).toMatchObject({ type: "tool.denied", reason: "use a dry run" });
    expect(log.find((event) => event.type === "ask.answered")).toMatchObject({
      message: "use a dry run",
      effect: "reject",
    });
  });

  it("shows the input that a person allowed instead, before its result and only where it arrived", () => {
    const { run, act } = startedMachine();
    const opened = (call: string, more: object = {}): Draft[] => [
      { type: "tool.start", call, name: "Bash" },
      { type: "tool.input", call, input: { command: "rm" }, ...more },
      {
        type: "ask.opened",
        ask: `q ${call}`,
        kind: "permission",
        call,
        title: "?",
        options: [{ id: "yes", label: "Yes", effect: "once" }],
        editable: true,
      },
    ];
    const answer = (isDelivered?: boolean) =>
      act((machine) => {
        const [ask] = machine.state.asks.keys();
        machine.answerAsk(ask!, { option: "yes", input: { command: "ls" } }, "owner");
        if (isDelivered !== undefined) machine.closeAsk(ask!, "answered", isDelivered);
      });
    run(...opened("c1"));
    answer();
    // The agent was faster than the report that it has the answer. It cannot say who changed something.
    run({ type: "tool.input", call: "c1", input: { command: "ls" }, by: "somebody" } as Draft);
    run({ type: "tool.output", call: "c1", output: "" }, ...opened("c2"));
    answer(false);
    // Only a part of this one is known.
    const log = run({ type: "tool.output", call: "c2", output: "" }, ...opened("c3", { truncatedFrom: 9 }));
    expect(log.filter(({ type }) => type === "tool.input")).toMatchObject([
      { input: { command: "rm" } },
      { input: { command: "ls" } },
      { input: { command: "ls" }, by: "owner" },
      { input: { command: "rm" } },
      { input: { command: "rm" } },
    ]);
    expect(log.filter((event) => event.type === "tool.input" && event.by !== undefined)).toHaveLength(1);
    const asks = log.filter((event) => event.type === "ask.opened");
    expect(asks.map(({ editable }) => editable)).toEqual([true, true, undefined]);
    expect(checkLog(log)).toEqual([]);
  });

  it("tells errors and notices without the colours of a terminal", () => {
    const { run } = startedMachine();
    const log = run(
      { type: "notice", level: "warning", code: "agent", text: "\u001b[33mslow\u001b[0m" },
      {
        type: "turn.ended",
        outcome: "failed",
        error: { code: "agent_error", message: "\u001b[31mno key\u001b[0m" },
      },
    );
    expect(log.find(({ type }) => type === "notice")).toMatchObject({ text: "slow" });
    expect(last(log)).toMatchObject({ error: { message: "no key" } });
  });

  it("tells what became known of an ask until it is answered, and each thing once", () => {
    const { run, act, machine } = startedMachine();
    run({ type: "ask.opened", ask: "q", kind: "permission", title: "?", options: [] });
    const log = run(
      { type: "ask.updated", ask: "q", detail: "ls" },
      { type: "ask.updated", ask: "q", detail: "ls" },
      { type: "ask.updated", ask: "never asked", detail: "ls" },
    );
    expect(log.filter(({ type }) => type === "ask.updated")).toMatchObject([{ detail: "ls", message: "m1" }]);
    const [ask] = machine.state.asks.keys();
    expect(machine.state.asks.get(ask!)?.opened).toMatchObject({ title: "?", detail: "ls" });
    act((it) => it.answerAsk(ask!, {}, "owner"));
    const after = run({ type: "ask.updated", ask: "q", detail: "too late" });
    expect(after.filter(({ type }) => type === "ask.updated")).toHaveLength(1);
    expect(checkLog(after)).toEqual([]);
  });

  it("amends a call whose result comes after it was settled", () => {
    const { run } = startedMachine();
    const log = run(
      { type: "tool.start", call: "c", name: "Bash" },
      { type: "tool.output", call: "c", output: "started", running: true },
      { type: "turn.ended", outcome: "completed" },
      { type: "tool.output", call: "c", output: "done" },
    );
    expect(last(log)).toMatchObject({ type: "tool.amended", output: "done" });
    expect(last(log).turn).toBeUndefined();
    expect(checkLog(log, { complete: true })).toEqual([]);
  });

  it("takes a steered prompt up where the agent's next step begins, never inside one", () => {
    const { run, act } = startedMachine();
    run({ type: "step.started" }, { type: "text.delta", part: "a", delta: "x" });
    act((machine) => {
      machine.acceptPrompt("u2", [], "steer");
      machine.dispatch("u2", { steer: true });
    });
    run({ type: "tool.start", call: "c", name: "Bash" }, { type: "tool.output", call: "c", output: 1 });
    const log = run(
      { type: "step.started" },
      { type: "text.delta", part: "b", delta: "y" },
      { type: "turn.ended", outcome: "completed" },
    );
    const started = log.filter((event) => event.type === "message.started");
    expect(started.map((event) => event.replyTo)).toEqual(["u1", "u2"]);
    const call = log.find((event) => event.type === "tool.start");
    expect(call?.message).toBe(started[0]?.message);
    expect(checkLog(log, { complete: true })).toEqual([]);
  });

  it("gives a refused steered prompt back to the front of the queue", () => {
    const { run, act, machine } = startedMachine();
    act((it) => {
      it.acceptPrompt("u2", [{ type: "text", text: "two" }], "steer");
      it.acceptPrompt("u3", [], "queue");
      it.dispatch("u2", { steer: true });
    });
    const log = run(
      { type: "prompt.returned", message: "u2", reason: "no turn" },
      { type: "turn.ended", outcome: "completed" },
    );
    expect(machine.state.queue.map((queued) => queued.message)).toEqual(["u2", "u3"]);
    expect(foldMessages(log).map((message) => message.id)).not.toContain("u2");
    expect(checkLog(log, { complete: true })).toEqual([]);
  });

  it("reports a stopped turn as interrupted, whatever the agent says", () => {
    const { run, act } = startedMachine();
    act((machine) => machine.stopping("owner"));
    expect(last(run({ type: "turn.ended", outcome: "completed" }))).toMatchObject({
      type: "turn.ended",
      outcome: "interrupted",
    });
  });

  it("says of a call that it was stopped where a person stopped its turn or its task, not where an agent says so", () => {
    const { run, act } = startedMachine();
    const given = { type: "tool.abandoned", call: "c1", reason: "gone", stopped: true } as Draft;
    run(
      { type: "tool.start", call: "c1", name: "Bash" },
      { type: "task.started", task: "k", title: "work" },
      { type: "tool.start", call: "c2", name: "Bash", task: "k" },
      { type: "tool.start", call: "c3", name: "Bash" },
      given,
    );
    act((machine) =>
      machine.emit({ type: "task.stopping", task: [...machine.state.tasks.keys()][0]!, by: "owner" }),
    );
    run({ type: "task.ended", task: "k", outcome: "stopped" });
    act((machine) => machine.stopping("owner"));
    const log = run({ type: "turn.ended", outcome: "completed" });
    const stopped = log.flatMap((event) => (event.type === "tool.abandoned" ? [event.stopped ?? false] : []));
    expect(stopped).toEqual([false, true, true]);
    expect(checkLog(log)).toEqual([]);
  });

  it("repeats nothing an agent tells again about itself", () => {
    const { run } = startedMachine();
    const before = run().length;
    expect(run({ type: "session.attached", agentSessionId: "n1" })).toHaveLength(before);
    expect(run({ type: "session.updated", title: "T" })).toHaveLength(before + 1);
    expect(run({ type: "session.updated", title: "T" })).toHaveLength(before + 1);
  });
});

/** What people, the engine and the process do, among the agent's drafts. */
type Act =
  | { do: "draft"; draft: Draft }
  | {
      do:
        | "prompt"
        | "steer"
        | "stop"
        | "attach"
        | "detach"
        | "end"
        | "withdraw"
        | "move"
        | "hold"
        | "stopTask";
    }
  | { do: "answer"; option: string; deliver: boolean };

const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 20, arbitrary: sloppyDraft.map((draft) => ({ do: "draft" as const, draft })) },
  {
    weight: 3,
    arbitrary: fc.constantFrom("prompt", "steer").map((what) => ({ do: what })) as fc.Arbitrary<Act>,
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("answer" as const),
      option: fc.constantFrom("yes", "no", "stop", "reject"),
      deliver: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom("stop", "attach", "detach", "end", "withdraw", "move", "hold", "stopTask")
      .map((what) => ({ do: what })) as fc.Arbitrary<Act>,
  },
);

function play(acts: readonly Act[]) {
  const { machine, log, run, act: perform } = createMachine();
  let prompts = 0;
  for (const step of acts) {
    switch (step.do) {
      case "draft":
        run(step.draft);
        break;
      case "prompt":
      case "steer":
        perform((it) => {
          const message = `u${++prompts}`;
          it.acceptPrompt(message, [], step.do === "steer" ? "steer" : "queue");
          if (step.do === "steer" && it.state.turn) it.dispatch(message, { steer: true });
          const next = nextPrompt(it.state);
          if (!it.state.turn && next) it.dispatch(next.message);
        });
        break;
      case "move":
        perform((it) => {
          const [first, ...others] = it.state.queue;
          const before = others.at(-1)?.message;
          if (first && before) it.emit({ type: "prompt.moved", message: first.message, before });
        });
        break;
      case "hold":
        perform((it) => {
          const [first] = it.state.queue;
          if (first) it.emit({ type: "prompt.held", message: first.message, held: !first.held });
        });
        break;
      case "stopTask":
        perform((it) => {
          const [task] = it.state.tasks.keys();
          if (task) it.emit({ type: "task.stopping", task, by: "owner" });
        });
        break;
      case "withdraw":
        perform((it) => {
          const message = it.state.queue[0]?.message;
          if (message) it.emit({ type: "prompt.withdrawn", message });
        });
        break;
      case "answer":
        perform((it) => {
          const [ask] = it.state.asks.keys();
          if (!ask) return;
          it.answerAsk(ask, { option: step.option, message: "words" }, "owner");
          if (step.deliver) it.closeAsk(ask, "answered", true);
        });
        break;
      case "stop":
        perform((it) => it.stopping("owner"));
        break;
      case "attach":
        run({ type: "session.attached", agentSessionId: "n1" });
        break;
      case "detach":
        perform((it) => it.detach("crash", { code: 1 }));
        break;
      case "end":
        perform((it) => it.endTurn("failed", { code: "x", message: "x" }));
    }
  }
  return { machine, log, perform };
}

describe("any stream of drafts and acts", () => {
  it("makes a well-formed log, complete once the agent is gone", () => {
    fc.assert(
      fc.property(fc.array(act, { maxLength: 60 }), (acts) => {
        const { log, perform } = play(acts);
        expect(checkLog(log)).toEqual([]);
        perform((machine) => machine.detach("crash"));
        expect(checkLog(log, { complete: true })).toEqual([]);
        for (const event of log) expect(eventSchema.safeParse(event).error?.issues).toBeUndefined();
      }),
      { numRuns: 1000 },
    );
  });

  it("gives the same state from the log as it had live, also through a stored snapshot", () => {
    fc.assert(
      fc.property(fc.array(act, { maxLength: 60 }), fc.nat(), (acts, cut) => {
        const { machine, log } = play(acts);
        let state = emptyState("s");
        log.forEach((event, index) => {
          if (index === cut % log.length) state = parseState(serializeState(state)!)!;
          evolve(state, JSON.parse(JSON.stringify(event)));
        });
        expect(JSON.parse(serializeState(state)!)).toEqual(JSON.parse(serializeState(machine.state)!));
        expect(sessionStatus(state)).toBe(sessionStatus(machine.state));
      }),
      { numRuns: 500 },
    );
  });

  it("never puts two assistant messages side by side", () => {
    fc.assert(
      fc.property(fc.array(act, { maxLength: 60 }), (acts) => {
        const roles = foldMessages(play(acts).log).map((message) => message.role);
        for (const [index, role] of roles.entries()) {
          expect(role === "assistant" && roles[index - 1] === "assistant").toBe(false);
        }
      }),
      { numRuns: 300 },
    );
  });
});

it.each([undefined, null, 42, { toString: 1 }, ["a"]])(
  "a turn that fails with the message %j ends, as any other does",
  (message) => {
    const { run } = startedMachine();
    const error = { code: 7, message } as unknown as { code: string; message: string };
    const log = run({ type: "turn.ended", outcome: "failed", error });
    expect(last(log)).toMatchObject({ type: "turn.ended", outcome: "failed", error: { code: "7" } });
    expect(eventSchema.safeParse(JSON.parse(JSON.stringify(last(log)))).success).toBe(true);
  },
);
