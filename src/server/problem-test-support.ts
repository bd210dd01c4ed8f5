/** What the tests expect of every refusal. */
import { expect } from "vitest";
import { problemSchema } from "../protocol/schemas/problem.ts";
import type { Answer } from "./http-client-test-support.ts";

export function expectProblem(answer: Answer, status: number, code: string): void {
  expect({ status: answer.status, code: answer.body?.code }).toEqual({ status, code });
  expect(answer.headers["content-type"]).toBe("application/problem+json");
  expect(problemSchema.parse(answer.body).status).toBe(status);
  expect(answer.body.detail).toMatch(/\w.*\.$/);
}
