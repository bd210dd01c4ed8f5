/** Logs for the tests of the translators: of fixtures, and of random drafts. */
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import fc from "fast-check";
import { checkLog } from "../core/check-log.ts";
import type { SessionEvent } from "../core/event.ts";
import { SessionMachine } from "../core/session-machine.ts";
import { emptyState } from "../core/session-state.ts";
import { sloppyDraft } from "../testkit/sloppy-drafts.ts";

const FIXTURES = resolve(import.meta.dirname, "../../test/fixtures/language");

/** What real agents said, as events that somebody wrote by hand. */
export const fixtureLogs: readonly (readonly [string, SessionEvent[]])[] = globSync("**/*.events.jsonl", {
  cwd: FIXTURES,
})
  .sort()
  .map((file) => [file, readLog(join(FIXTURES, file))]);

function readLog(file: string): SessionEvent[] {
  const lines = readFileSync(file, "utf8").trim().split("\n");
  return lines.map((line): SessionEvent => JSON.parse(line));
}

export function createMachine(id = "s1"): SessionMachine {
  let messages = 0;
  let clock = 1_700_000_000_000;
  const machine = new SessionMachine(emptyState(id), {
    now: () => {
      clock += 1;
      return clock;
    },
    messageId: () => {
      messages += 1;
      return `m${messages}`;
    },
  });
  machine.create({ agent: "mock", cwd: "/" });
  return machine;
}

const act = fc.oneof(
  { weight: 12, arbitrary: sloppyDraft.map((draft) => ({ draft })) },
  { weight: 1, arbitrary: fc.constantFrom("prompt", "steer", "stop", "answer", "detach" as const) },
);

/** A complete log, whatever an agent and people do. */
export const randomLog: fc.Arbitrary<SessionEvent[]> = fc.array(act, { maxLength: 60 }).map((acts) => {
  const machine = createMachine();
  machine.apply({ type: "session.attached", model: "small" });
  let prompts = 0;
  for (const each of ["prompt" as const, ...acts]) {
    if (typeof each === "object") machine.apply(each.draft, 1);
    else if (each === "stop") machine.stopping("ann");
    else if (each === "detach") {
      machine.detach("crash");
      machine.apply({ type: "session.attached" });
    } else if (each === "answer") {
      for (const [ask, { opened }] of [...machine.state.asks]) {
        machine.answerAsk(ask, { option: opened.options[0]?.id, input: { changed: true } }, "ann");
        machine.closeAsk(ask, "answered", true);
      }
    } else {
      prompts += 1;
      machine.acceptPrompt(`u${prompts}`, [{ type: "text", text: `Prompt ${prompts}` }], "queue");
      machine.dispatch(`u${prompts}`, { steer: each === "steer" });
    }
  }
  machine.detach("closed");
  const events = machine.take();
  const problems = checkLog(events, { complete: true });
  if (problems.length > 0) throw new Error(JSON.stringify(problems[0]));
  return events;
});
