import { expect, it } from "vitest";
import { InterlinguaError } from "../../core/error.ts";
import { explainFailure } from "./explain-failure.ts";

const said = (text: string) =>
  new InterlinguaError("agent_failed", `The agent "codex" could not be used: ${text}.`);

const THREAD = "01234567-89ab-7def-8123-456789abcdef";

it.each([
  [`no rollout found for thread id ${THREAD}`, "conversation_lost", /no such conversation/],
  [`thread not found: ${THREAD}`, "conversation_lost", /no such conversation/],
  [`thread ${THREAD} already has an active writer`, "agent_failed", /Another Codex.*Close it there/],
  ["thread/start.permissions requires experimentalApi capability", "agent_version", /agents install codex/],
])("%s", (text, code, sentence) => {
  expect(explainFailure(said(text))).toMatchObject({ code, message: expect.stringMatching(sentence) });
});

it("keeps a conversation that another Codex has open", () => {
  const explained = explainFailure(said(`thread ${THREAD} already has an active writer`));
  expect(explained).toMatchObject({ extras: { keepsConversation: true } });
});

it("leaves what it does not know as it is", () => {
  const unknown = said("it was not ready within 30000 ms");
  expect(explainFailure(unknown)).toBe(unknown);
});
