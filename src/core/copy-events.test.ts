import fc from "fast-check";
import { expect, it } from "vitest";
import { sloppyDraft } from "../testkit/sloppy-drafts.ts";
import { checkLog } from "./check-log.ts";
import { EventCopier, endOfCopy } from "./copy-events.ts";
import { eventSchema, type SessionEvent } from "./event.ts";
import { foldMessages } from "./fold-messages.ts";
import type { ForkedFrom } from "./fork-fields.ts";
import { KeptEvents } from "./kept-events.ts";
import type { MessageRecord } from "./message-record.ts";
import { SessionMachine } from "./session-machine.ts";
import { emptyState } from "./session-state.ts";

function startLog(id: string, forkedFrom?: ForkedFrom) {
  let ids = 0;
  const messageId = () => {
    ids += 1;
    return `${id}-${ids}`;
  };
  const sources = { now: () => 1000 + ids, messageId };
  const machine = new SessionMachine(emptyState(id), sources);
  const log: SessionEvent[] = [];
  const act = (change: (machine: SessionMachine) => void) => {
    change(machine);
    log.push(...machine.take());
  };
  act((created) => created.create({ agent: "mock", cwd: "/", forkedFrom }));
  return { machine, log, act };
}

type Act =
  | { do: "draft"; draft: Parameters<SessionMachine["apply"]>[0] }
  | { do: "prompt"; steer: boolean }
  | { do: "return" | "detach" }
  | { do: "rewind"; to: number };

const acts: fc.Arbitrary<Act[]> = fc.array(
  fc.oneof(
    { weight: 12, arbitrary: sloppyDraft.map((draft) => ({ do: "draft" as const, draft })) },
    { weight: 4, arbitrary: fc.boolean().map((steer) => ({ do: "prompt" as const, steer })) },
    { weight: 1, arbitrary: fc.constantFrom({ do: "return" as const }, { do: "detach" as const }) },
    { weight: 1, arbitrary: fc.nat(5).map((to) => ({ do: "rewind" as const, to })) },
  ),
  { maxLength: 80 },
);

function play(given: readonly Act[]) {
  const origin = startLog("origin");
  let prompts = 0;
  for (const one of given) {
    origin.act((machine) => {
      switch (one.do) {
        case "draft":
          return machine.apply(one.draft, machine.nextSeq);
        case "prompt": {
          prompts += 1;
          machine.acceptPrompt(`u${prompts}`, [{ type: "text", text: `${prompts}` }], "queue");
          const next = machine.state.queue[0]!.message;
          return machine.dispatch(next, { steer: one.steer && machine.state.turn !== undefined });
        }
        case "return":
          return machine.apply({ type: "prompt.returned", reason: "no" });
        case "detach":
          return machine.detach("crash");
        case "rewind": {
          const users = foldMessages(origin.log).filter(({ role }) => role === "user");
          const before = users[one.to % Math.max(1, users.length)]?.id;
          if (machine.state.turn || before === undefined) return;
          machine.emit({ type: "conversation.rewound", before, agentForgot: true });
        }
      }
    });
  }
  return origin;
}

/** Without what a copy names otherwise, and what came after the turn, perhaps in one that is left out. */
function content(messages: readonly MessageRecord[]) {
  const inTurn = ({ events = [], ...message }: MessageRecord) => ({
    ...message,
    events: events.filter(({ turn }) => turn !== undefined),
  });
  return messages.map(inTurn).map(({ id, role, parts, text, events }) => ({
    id,
    role,
    parts,
    text,
    said: textsOf(events),
    called: events.flatMap((event) => (event.type === "tool.start" ? [event.name] : [])),
    ended: events.flatMap((event) => (event.type === "turn.ended" ? [event.outcome, event.usage] : [])),
  }));
}

/** The texts of parts and calls. In how many pieces one stands depends on what stands between them, which may be left out. */
function textsOf(events: readonly SessionEvent[]): string[] {
  const texts = new Map<string, string>();
  for (const event of events) {
    if (!("delta" in event)) continue;
    const key = `${event.type} ${"part" in event ? event.part : "call" in event ? event.call : ""}`;
    texts.set(key, (texts.get(key) ?? "") + event.delta);
  }
  return [...texts.values()];
}

it("a call that is retracted in a kept turn although its own is left out is not named in the copy", () => {
  const { log } = play([
    { do: "draft", draft: { type: "tool.abandoned", call: "c", reason: "", parent: "p" } },
    { do: "prompt", steer: false },
    { do: "draft", draft: { type: "content.discarded", parts: [], calls: ["c"], reason: "" } },
    { do: "prompt", steer: false },
  ]);
  expect(log.some(({ type }) => type === "content.discarded")).toBe(true);
  const [first] = foldMessages(log).filter(({ role }) => role === "user");
  const kept = new KeptEvents(new Set([first!.turn!]));
  for (const event of log) kept.add(event, JSON.stringify(event).length);
  const types = kept.take().map(({ type }) => type);
  expect(types).toContain("turn.ended");
  expect(types).not.toContain("content.discarded");
});

it("a copy of any conversation is a complete, well-formed log with the same messages", () => {
  fc.assert(
    fc.property(acts, fc.nat(8), (given, cut) => {
      const { log, machine } = play(given);
      const messages = foldMessages(log);
      const first = messages.filter(({ role }) => role === "user")[cut];
      const left = first ? messages.slice(messages.indexOf(first)) : [];
      const isLeftOut = ({ turn }: MessageRecord) => turn === first?.turn || turn === machine.state.turn?.id;
      const wanted = messages.filter((message) => !left.includes(message) && !isLeftOut(message));
      const kept = new KeptEvents(new Set(wanted.map(({ turn }) => turn!)));
      const copy = startLog("copy", { session: "origin" });
      const copier = new EventCopier();
      for (const event of log) {
        kept.add(event, JSON.stringify(event).length);
        copy.act((made) => copier.copy(made, kept.take()));
      }
      copy.act((made) => copier.finish(made));
      expect(endOfCopy(copy.log)).toBe(copy.log.length);
      expect(endOfCopy(log)).toBe(0);
      expect(checkLog(copy.log, { complete: true })).toEqual([]);
      for (const event of copy.log) expect(eventSchema.safeParse(event).error?.issues).toBeUndefined();
      expect(copy.log.filter(({ raw }) => raw !== undefined)).toEqual([]);
      expect(content(foldMessages(copy.log))).toEqual(content(wanted));
      expect(copy.machine.state).toMatchObject({ queue: [], agentMemory: "none" });
      // What begins later gets ids that the copy does not have.
      copy.act((made) => made.acceptPrompt("later", [{ type: "text", text: "x" }], "queue"));
      copy.act((made) => made.dispatch("later"));
      for (const type of ["text.delta", "reasoning.delta"] as const)
        copy.act((made) => made.apply({ type, part: "p1", delta: "x" }));
      copy.act((made) => made.endTurn("completed"));
      expect(checkLog(copy.log, { complete: true })).toEqual([]);
    }),
    { numRuns: 1000 },
  );
});
