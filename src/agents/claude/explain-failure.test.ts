import { describe, expect, it } from "vitest";
import { InterlinguaError } from "../../core/error.ts";
import { explainFailure } from "./explain-failure.ts";

const program = { command: "/opt/claude", args: [], from: "path" } as const;

const said = (text: string) =>
  new InterlinguaError("agent_failed", `The agent "claude" could not be used: it exited. It wrote: ${text}`);

describe("explainFailure", () => {
  it.each([
    [
      "--dangerously-skip-permissions cannot be used with root/sudo privileges for security reasons",
      "agent_failed",
      /for root.*another user.*IS_SANDBOX=1/,
    ],
    ["No conversation found with session ID: 1111", "conversation_lost", /no such conversation/],
    ["Session ID 1111 is already in use.", "agent_failed", /already in use/],
    ["nobody is signed in to Claude Code", "agent_not_signed_in", /claude auth login.*ANTHROPIC_API_KEY/],
    ["error: unknown option '--replay-user-messages'", "agent_version", /interlingua agents install claude/],
  ])("%s", (text, code, sentence) => {
    expect(explainFailure(said(text), program)).toMatchObject({
      code,
      message: expect.stringMatching(sentence),
    });
  });

  it("leaves what it does not know as it is", () => {
    const unknown = said("something new");
    expect(explainFailure(unknown, program)).toBe(unknown);
    const other = new Error("root/sudo privileges");
    expect(explainFailure(other, program)).toBe(other);
  });
});
