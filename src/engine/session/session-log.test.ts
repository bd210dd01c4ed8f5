import { expect, it } from "vitest";
import type { Draft } from "../../core/draft.ts";
import { SessionMachine } from "../../core/session-machine.ts";
import { emptyState } from "../../core/session-state.ts";
import type { SessionAppend } from "../../core/store.ts";
import type { Services } from "../engine-services.ts";
import { PromptContents } from "../prompts/prompt-contents.ts";
import { Projector } from "./projector.ts";
import { SessionLog } from "./session-log.ts";

/** A log whose commits the test carries out itself. */
function createLog(commit: Partial<Services["commit"]> = {}): SessionLog {
  const services = {
    commit: { touch() {}, touchSoon() {}, touchLater() {}, ...commit },
    counters: { waitingBytes: 0 },
    now: () => 0,
  } as unknown as Services;
  const state = emptyState("s");
  const contents = new PromptContents("s", {} as Services["store"]);
  return new SessionLog({
    contents,
    machine: new SessionMachine(state, { now: () => 0, messageId: () => "m" }),
    projector: new Projector(state, contents),
    services,
    request: "",
    rawHead: 0,
  });
}

const ways: Record<string, (log: SessionLog) => void> = {
  memory: (log) => log.remember([{ part: "workspace", seq: 0, data: Buffer.from("laid down here") }]),
  "a raw record": (log) => log.record({ direction: "in", data: "last words" }, 1),
};

for (const [what, say] of Object.entries(ways)) {
  it(`a session is not let go while ${what} is on its way to the store`, () => {
    const log = createLog();
    expect(log.isCommitted).toBe(true);
    say(log);
    expect(log.isCommitted).toBe(false);
    const append = log.collect() as SessionAppend;
    expect(append.events).toEqual([]);
    expect(log.isCommitted).toBe(false);
    log.committed(append);
    expect(log.isCommitted).toBe(true);
  });
}

it("a commit waits for others only with what agents stream, never with an ask or the end of a turn", () => {
  const touched: string[] = [];
  const log = createLog({ touch: () => touched.push("now"), touchSoon: () => touched.push("soon") });
  const say = (...drafts: Draft[]) => {
    touched.splice(0);
    log.act((machine) => {
      for (const draft of drafts) machine.apply(draft);
    });
    return touched.splice(0);
  };
  const delta: Draft = { type: "text.delta", delta: "word" };
  // It begins a turn.
  expect(say(delta)).toEqual(["now"]);
  // As long as that is not on its way.
  expect(say(delta)).toEqual(["now"]);
  log.collect();
  expect(say(delta)).toEqual(["soon"]);
  expect(say({ type: "tool.start", call: "c", name: "Bash" })).toEqual(["soon"]);
  const options = [{ id: "allow", label: "Allow", effect: "once" as const }];
  const ask: Draft = {
    type: "ask.opened",
    ask: "q",
    kind: "permission",
    call: "c",
    title: "Run it?",
    options,
  };
  expect(say(delta, ask)).toEqual(["now"]);
  log.collect();
  expect(say({ type: "turn.ended", outcome: "completed" })).toEqual(["now"]);
});
