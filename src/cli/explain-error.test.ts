/** The remedy fits what the command was given. */
import { expect, test } from "vitest";
import { InterlinguaError, refusalOf } from "../sdk/error.ts";
import { explainError } from "./explain-error.ts";

const refused = new InterlinguaError("unauthorized", "A valid token is required.", { status: 401 });
const UNSET = "or unset it: without it the token file of the data directory is read";

test("a wrong token with --url is not told to be unset, since no data directory is looked at then", () => {
  const environment = { INTERLINGUA_TOKEN: "wrong" };
  expect(explainError(refused, { environment, hasUrlFlag: false })).toContain(UNSET);
  const named = [
    { environment, hasUrlFlag: true },
    { environment: { ...environment, INTERLINGUA_URL: "http://127.0.0.1:4111" }, hasUrlFlag: false },
  ];
  for (const given of named) {
    const line = explainError(refused, given);
    expect(line).not.toContain("unset");
    expect(line).toContain("Set the one of the link that serve printed. One that was made for you");
  }
});

test("an answer of a load balancer without ready nodes has a remedy", async () => {
  const answer = new Response("<html>", { status: 503, statusText: "Service Unavailable" });
  const line = explainError(await refusalOf(answer), { environment: {}, hasUrlFlag: true });
  expect(line).toContain("The daemon answered 503 Service Unavailable. A load balancer");
  expect(line).toContain("Try again in a moment");
});
