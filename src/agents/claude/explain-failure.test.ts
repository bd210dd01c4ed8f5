import { describe, expect, it } from "vitest";
import { InterlinguaError } from "../../core/error.ts";
import { explainFailure } from "./explain-failure.ts";

const said = (text: string) =>
  new InterlinguaError("agent_failed", `The agent "claude" could not be used: it exited. It wrote: ${text}`);

describe("explainFailure", () => {
  it.each([
    [
      "--dangerously-skip-permissions cannot be used with root/sudo privileges for security reasons",
      "agent_failed",
      /for root.*another user.*IS_SANDBOX=1/,
    ],
    ["No conversation found with session ID: 1111", "agent_failed", /no such conversation/],
    ["error: unknown option '--replay-user-messages'", "agent_version", /interlingua agents install claude/],
  ])("%s", (text, code, sentence) => {
    expect(explainFailure(said(text))).toMatchObject({ code, message: expect.stringMatching(sentence) });
  });

  it("leaves what it does not know as it is", () => {
    const unknown = said("something new");
    expect(explainFailure(unknown)).toBe(unknown);
    const other = new Error("root/sudo privileges");
    expect(explainFailure(other)).toBe(other);
  });
});
