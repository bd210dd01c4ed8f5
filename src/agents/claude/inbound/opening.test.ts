import { describe, expect, it } from "vitest";
import type { ClaudeState } from "../conversation-state.ts";
import { createInbound } from "../inbound.ts";
import { outbound } from "../outbound.ts";
import { NOT_SIGNED_IN } from "./opening.ts";

const SIGNED_IN = { apiProvider: "firstParty", tokenSource: "none", apiKeySource: "ANTHROPIC_API_KEY" };
const SERVERS = { files: { command: "files", args: [] } };

type Encoder = ReturnType<typeof createInbound>;

const heard = (state: ClaudeState, line: object) =>
  outbound.translate(state, { direction: "in", data: JSON.stringify(line) })[0];
const sent = (state: ClaudeState, lines: readonly string[]) =>
  lines.reduce((now, data) => outbound.translate(now, { direction: "out", data })[0], state);

function linesOf(step: ReturnType<Encoder["open"]> | ReturnType<NonNullable<Encoder["shutDown"]>>): string[] {
  return step.step === "send" ? [...step.lines] : [];
}

const requestsOf = (lines: readonly string[]) => lines.map((line) => JSON.parse(line).request);

/** Says hello and hears who is there. */
function introduced(encoder: Encoder, account: object | undefined): ClaudeState {
  const lines = linesOf(encoder.open(outbound.initial));
  expect(requestsOf(lines)).toEqual([{ subtype: "initialize" }]);
  const response = {
    subtype: "success",
    request_id: JSON.parse(lines[0]!).request_id,
    response: { account },
  };
  return heard(sent(outbound.initial, lines), { type: "control_response", response });
}

describe("the opening", () => {
  it.each([SIGNED_IN, { apiProvider: "bedrock" }, undefined])("is over with the account %j", (account) => {
    const encoder = createInbound({});
    expect(encoder.open(introduced(encoder, account))).toEqual({ step: "ready" });
  });

  it("fails when nobody is signed in", () => {
    const encoder = createInbound({});
    const state = introduced(encoder, { apiProvider: "firstParty", tokenSource: "none" });
    expect(encoder.open(state)).toEqual({ step: "failed", reason: NOT_SIGNED_IN });
  });

  it("hands over the MCP servers once, and does not wait for them", () => {
    const encoder = createInbound(SERVERS);
    const state = introduced(encoder, SIGNED_IN);
    const lines = linesOf(encoder.open(state));
    expect(requestsOf(lines)).toEqual([{ subtype: "mcp_set_servers", servers: SERVERS }]);
    expect(encoder.open(sent(state, lines))).toEqual({ step: "ready" });
  });

  it("tells which of them cannot be used", () => {
    const encoder = createInbound(SERVERS);
    const state = introduced(encoder, SIGNED_IN);
    const lines = linesOf(encoder.open(state));
    const response = { added: ["files"], removed: [], errors: { files: "it does not start" } };
    const answer = { subtype: "success", request_id: JSON.parse(lines[0]!).request_id, response };
    const [, drafts] = outbound.translate(sent(state, lines), {
      direction: "in",
      data: JSON.stringify({ type: "control_response", response: answer }),
    });
    expect(drafts).toMatchObject([{ type: "notice", code: "mcp", text: expect.stringContaining('"files"') }]);
  });
});

describe("shutting down", () => {
  it("needs no words when nothing runs", () => {
    const encoder = createInbound({});
    expect(encoder.shutDown?.(introduced(encoder, SIGNED_IN))).toEqual({ step: "done" });
  });

  it("stops a running turn once, and that is no command of a person", () => {
    const encoder = createInbound({});
    const working = { ...introduced(encoder, SIGNED_IN), isWorking: true };
    const lines = linesOf(encoder.shutDown!(working));
    expect(requestsOf(lines)).toEqual([{ subtype: "interrupt", interlingua: "leaving" }]);
    expect(encoder.shutDown!(sent(working, lines))).toEqual({ step: "wait" });
  });
});
