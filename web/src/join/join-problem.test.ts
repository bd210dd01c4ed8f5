import { expect, test } from "vitest";
import { InterlinguaError } from "../../../src/sdk/error.ts";
import { joinProblem } from "./join-problem.ts";

test("a link that cannot work any more is told apart from what may be tried again", () => {
  for (const code of ["invitation_used", "invitation_expired", "invitation_not_found"] as const) {
    const problem = joinProblem(new InterlinguaError(code, "Ask for a new one."));
    expect(problem).toMatchObject({ text: "Ask for a new one.", isFinal: true });
    expect(problem.title).toMatch(/^This invitation/);
  }
  for (const code of ["invalid_request", "too_many_requests", "shutting_down"] as const)
    expect(joinProblem(new InterlinguaError(code, "Wait."))).toMatchObject({ text: "Wait.", isFinal: false });
  expect(joinProblem(new TypeError("fetch failed"))).toMatchObject({
    text: "Interlingua is not running, or cannot be reached.",
    isFinal: false,
  });
});
