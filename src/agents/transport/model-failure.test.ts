import { describe, expect, test } from "vitest";
import { modelFailure } from "./model-failure.ts";

const agent = { title: "Ada", signIn: "Run `ada login`." };
const codeOf = (said: string, status?: number) => modelFailure({ said, status }, agent)?.code;

test("an error with half a million dots does not stop the event loop", () => {
  const said = `Invalid API key${".".repeat(500_000)}x. `;
  expect(modelFailure({ said, status: 401 }, agent)?.message).toContain(".x. The credentials");
});

describe("a failure of the model", () => {
  test.each([
    ["Incorrect API key provided", 401, "authentication_failed"],
    ["forbidden", 403, "authentication_failed"],
    ["API key not valid. Please pass a valid API key.", 400, "authentication_failed"],
    ["API key expired. Please renew the API key.", 400, "authentication_failed"],
    ["Your credit balance is too low to access the Anthropic API.", 400, "rate_limited"],
    ["No API key found", 401, "agent_not_signed_in"],
    ["slow down", 429, "rate_limited"],
    ["busy", 529, "overloaded"],
    ["busy", 503, "overloaded"],
    ["prompt is too long: 210000 tokens > 200000 maximum", 400, "context_full"],
    ["no such effort", 400, undefined],
    ["broken", 500, undefined],
  ])("%j with status %s is %s", (said, status, code) => {
    expect(codeOf(said, status)).toBe(code);
  });

  test.each([
    ['401 {"type":"error","error":{"type":"authentication_error"}}', "authentication_failed"],
    ["unexpected status 401 Unauthorized: Incorrect API key", "authentication_failed"],
    ["exceeded retry limit, last status: 429 Too Many Requests", "rate_limited"],
    ["Repeated 529 Overloaded errors. The API is at capacity", "overloaded"],
    ["This model's maximum context length is 128000 tokens", "context_full"],
    ["Not logged in · Please run /login", "agent_not_signed_in"],
    ["We are experiencing high demand", undefined],
    ["exit status 400 of 4290 lines", undefined],
  ])("that is told in words only, %j, is %s", (said, code) => {
    expect(codeOf(said)).toBe(code);
  });

  test("says what to do behind what the agent said", () => {
    expect(modelFailure({ said: "invalid x-api-key.", status: 401 }, agent)).toEqual({
      code: "authentication_failed",
      message: "invalid x-api-key. The credentials of Ada were refused. Run `ada login`.",
    });
    expect(modelFailure({ said: "", code: "overloaded" }, agent)?.message).toMatch(
      /^This is usually temporary/,
    );
  });
});
