/** Many prompts to one session, each sent when the one before it has settled: the log is read once, with no gap. */
import { expect } from "vitest";
import type { Interlingua } from "../../src/sdk/index.ts";

export async function expectPromptsInTurn(client: Interlingua, count: number): Promise<void> {
  const session = await client.sessions.create({ agent: "mock", options: { pace: 0 } });
  const seqs: number[] = [];
  const outcomes: string[] = [];
  for (let number = 1; number <= count; number += 1) {
    for await (const event of session.prompt(`scenario:echo number ${number}.`)) {
      seqs.push(event.seq);
      if (event.type === "turn.ended") outcomes.push(event.outcome);
    }
  }
  expect(outcomes).toEqual(Array.from({ length: count }, () => "completed"));
  const { head } = await session.details();
  // The first event made the session.
  expect(seqs).toEqual(Array.from({ length: head - 1 }, (_, index) => index + 2));
  const { messages } = await session.messages({ limit: 1 });
  expect(messages).toMatchObject([{ role: "assistant", content: [{ type: "text" }] }]);
  expect(JSON.stringify(messages)).toContain(`number ${count}.`);
}
