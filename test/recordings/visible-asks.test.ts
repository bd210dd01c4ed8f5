/** Nobody is asked to approve what they cannot see: what each permission of the recordings shows when it is asked. */
import { describe, expect, it } from "vitest";
import { protocol as acp } from "../../src/agents/acp/protocol.ts";
import { protocol as claude } from "../../src/agents/claude/protocol.ts";
import { protocol as codex } from "../../src/agents/codex/protocol.ts";
import { protocol as openCode } from "../../src/agents/opencode/protocol.ts";
import type { AgentProtocol } from "../../src/agents/transport/agent-protocol.ts";
import type { SessionEvent } from "../../src/core/event.ts";
import { foldMessages } from "../../src/core/fold-messages.ts";
import { toUIMessage } from "../../src/dialects/ai-sdk/to-ui-message.ts";
import { isToolPart, type ToolPart } from "../../src/dialects/ai-sdk/ui-message.ts";
import { readRecordingText, recordingsOf, replay } from "./support.ts";

describe.each([
  ["acp", acp, 40],
  ["claude", claude, 20],
  ["codex", codex, 10],
  ["opencode", openCode, 6],
] as [string, AgentProtocol<unknown>, number][])("the permissions of %s", (agent, protocol, atLeast) => {
  const logs = recordingsOf(agent)
    // Gemini never tells the input; what is to be done stands in the title.
    .filter((name) => !name.startsWith("gemini-"))
    .map((name) => [name, replay(protocol, readRecordingText(agent, name))] as const);
  const asked = logs.flatMap(([name, log]) =>
    log.flatMap((event, place) =>
      event.type === "ask.opened" && event.kind === "permission" && event.turn !== undefined
        ? [{ name, ask: event.ask, place, log }]
        : [],
    ),
  );

  it("are many", () => expect(asked.length).toBeGreaterThanOrEqual(atLeast));

  it.each(asked)("$name $ask is no approval of an empty input", ({ ask, place, log }) => {
    expect(Object.keys(approvalOf(log, place, ask).input as object)).not.toEqual([]);
  });
});

it("a permission of Claude Code to change a file shows the change", () => {
  const asked = recordingsOf("claude").flatMap((name) => {
    const log = replay(claude, readRecordingText("claude", name));
    return log.filter((event) => event.type === "ask.opened" && /^(Edit|Write)\b/.test(event.title));
  });
  expect(asked.length).toBeGreaterThan(0);
  for (const ask of asked) expect(ask).toMatchObject({ changes: [{ diff: expect.stringContaining("@@") }] });
});

/** The part on which a person approves, as soon as it is shown. */
function approvalOf(log: readonly SessionEvent[], opened: number, ask: string): ToolPart {
  for (let end = opened + 1; end <= log.length; end += 1) {
    const record = foldMessages(log.slice(0, end)).findLast(({ role }) => role === "assistant")!;
    const part = toUIMessage(record).parts.find((part) => isToolPart(part) && part.approval?.id === ask);
    if (part) return part as ToolPart;
  }
  throw new Error(`nobody was shown the ask ${ask}`);
}
