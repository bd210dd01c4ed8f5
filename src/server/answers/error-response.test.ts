import { expect, test } from "vitest";
import { ERROR_CODES, type ErrorCode, InterlinguaError } from "../../core/error.ts";
import { problemSchema } from "../../protocol/schemas/problem.ts";
import { isUnexpected, problemResponse } from "./error-response.ts";

test.each(Object.keys(ERROR_CODES) as ErrorCode[])("%s has its status and title", (code) => {
  const { status, body } = problemResponse(new InterlinguaError(code, "Do this."));
  expect(problemSchema.parse(body)).toEqual({
    type: `urn:interlingua:error:${code}`,
    title: ERROR_CODES[code].title,
    status: ERROR_CODES[code].status,
    detail: "Do this.",
    code,
  });
  expect(status).toBe(ERROR_CODES[code].status);
});

test("what an error brings along is told", () => {
  const error = new InterlinguaError("ask_answered", "Somebody was first.", {
    answer: { option: "yes" },
    agents: ["a"],
    errors: [{ path: "p", message: "m" }],
    retryAfterSeconds: 0.2,
  });
  const { body, headers } = problemResponse(error);
  expect(body).toMatchObject({
    answer: { option: "yes" },
    agents: ["a"],
    errors: [{ path: "p", message: "m" }],
  });
  expect(headers["retry-after"]).toBe("1");
});

test("an error nobody planned for tells nothing about itself", () => {
  const error = new Error("secret path /home/me");
  expect(isUnexpected(error)).toBe(true);
  const { status, body } = problemResponse(error);
  expect([status, body.code]).toEqual([500, "internal"]);
  expect(JSON.stringify(body)).not.toContain("secret");
});
