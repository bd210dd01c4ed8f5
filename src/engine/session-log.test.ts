import { expect, it } from "vitest";
import { SessionMachine } from "../core/session-machine.ts";
import { emptyState } from "../core/session-state.ts";
import type { SessionAppend } from "../core/store.ts";
import type { Services } from "./engine-services.ts";
import { Projector } from "./projector.ts";
import { PromptContents } from "./prompt-contents.ts";
import { SessionLog } from "./session-log.ts";

/** A log whose commits the test carries out itself. */
function createLog(): SessionLog {
  const services = {
    commit: { touch() {}, touchLater() {} },
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
