/** What is asked when an ask changes while it is open. */
import { expect, test } from "vitest";
import type { Session, SessionEvent } from "../../sdk/index.ts";
import type { Answerer, Ask } from "./answer-asks.ts";
import { OpenAsks } from "./open-asks.ts";

function asksWith(answerer: Answerer): OpenAsks {
  return new OpenAsks({} as Session, {
    answerer,
    isPerson: true,
    signal: new AbortController().signal,
    note() {},
    onUnanswered() {},
    onError(error) {
      throw error;
    },
  });
}

const opened = {
  type: "ask.opened",
  ask: "a1",
  kind: "permission",
  title: "Write",
  options: [],
} as unknown as Ask;
const updated = (fields: object) => ({ type: "ask.updated", seq: 7, ask: "a1", ...fields }) as SessionEvent;

test("changes that become known after it was opened are shown, and the question before is taken back", async () => {
  const asked: { ask: Ask; signal: AbortSignal }[] = [];
  const asks = asksWith((ask, signal) => {
    asked.push({ ask, signal });
    return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  });
  asks.see(opened);
  await expect.poll(() => asked).toHaveLength(1);
  // A person is not shown this.
  asks.see(updated({ detail: { command: "ls" } }));
  const changes = [{ path: "/a", kind: "created", diff: "+one" }];
  asks.see(updated({ changes }));
  await expect.poll(() => asked).toHaveLength(2);
  expect(asked[0]!.signal.aborted).toBe(true);
  expect(asked[1]!.ask).toMatchObject({ title: "Write", changes });
});

test("while the turn is being stopped nobody is asked; if it goes on, what is open is asked again", async () => {
  const asked: { ask: Ask; signal: AbortSignal }[] = [];
  const asks = asksWith((ask, signal) => {
    asked.push({ ask, signal });
    return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  });
  asks.see(opened);
  await expect.poll(() => asked).toHaveLength(1);
  asks.pause();
  expect(asked[0]!.signal.aborted).toBe(true);
  asks.see({ ...opened, ask: "a2" });
  asks.see({ type: "ask.closed", ask: "a1" } as SessionEvent);
  asks.resume();
  await expect.poll(() => asked.map(({ ask }) => ask.ask)).toEqual(["a1", "a2"]);
  expect(asked[1]!.signal.aborted).toBe(false);
});
