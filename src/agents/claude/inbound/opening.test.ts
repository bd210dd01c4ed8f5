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
  expect(requestsOf(lines)).toEqual([{ subtype: "initialize", forwardSubagentText: true }]);
  const response = {
    subtype: "success",
    request_id: JSON.parse(lines[0]!).request_id,
    response: { account },
  };
  return heard(sent(outbound.initial, lines), { type: "control_response", response });
}

/** Answers the first of these requests. */
function answered(state: ClaudeState, lines: readonly string[], answer: object): ClaudeState {
  const { request_id } = JSON.parse(lines[0]!);
  return heard(sent(state, lines), { type: "control_response", response: { ...answer, request_id } });
}

describe("the opening", () => {
  it.each([SIGNED_IN, { apiProvider: "bedrock" }, undefined])("is over with the account %j", (account) => {
    const encoder = createInbound({});
    const state = introduced(encoder, account);
    const lines = linesOf(encoder.open(state));
    expect(requestsOf(lines)).toEqual([{ subtype: "get_settings" }]);
    const applied = { model: "m", effort: "high" };
    const settled = answered(state, lines, { subtype: "success", response: { applied } });
    expect(encoder.open(settled)).toEqual({ step: "ready" });
    expect(settled).toMatchObject({ model: "m", settings: [{ id: "effort", value: "high" }] });
  });

  it("does not wait for ever for a version that does not tell its settings", () => {
    const encoder = createInbound({});
    const state = introduced(encoder, SIGNED_IN);
    const lines = linesOf(encoder.open(state));
    expect(encoder.open(sent(state, lines))).toMatchObject({ step: "settle" });
    const refused = answered(state, lines, { subtype: "error", error: "unknown" });
    expect(encoder.open(refused)).toEqual({ step: "ready" });
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
    expect(requestsOf(lines)).toEqual([
      { subtype: "get_settings" },
      { subtype: "mcp_set_servers", servers: SERVERS },
    ]);
    const settled = answered(state, lines, { subtype: "success", response: {} });
    expect(encoder.open(settled)).toEqual({ step: "ready" });
  });

  it("tells which of them cannot be used", () => {
    const encoder = createInbound(SERVERS);
    const state = introduced(encoder, SIGNED_IN);
    const lines = linesOf(encoder.open(state));
    const response = { added: ["files"], removed: [], errors: { files: "it does not start" } };
    const answer = { subtype: "success", request_id: JSON.parse(lines[1]!).request_id, response };
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
