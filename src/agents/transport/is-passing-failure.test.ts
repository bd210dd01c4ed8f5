import { expect, it } from "vitest";
import { isPassingFailure } from "./is-passing-failure.ts";

it.each([
  "connect ECONNREFUSED 127.0.0.1:4096",
  "TypeError: fetch failed",
  "getaddrinfo EAI_AGAIN api.example.com",
  "thread 1 already has an active writer",
  "Session ID 1111 is already in use.",
  "database is locked",
  "429 Too Many Requests",
  "You have hit your usage limit",
  "Not logged in",
  "Invalid API key",
  "Overloaded",
])("is no reason to give a conversation up: %s", (said) => {
  expect(isPassingFailure(said)).toBe(true);
});

it.each([
  "Query closed before response received",
  "Internal error",
  "it exited before it was ready",
  "Unexpected end of JSON input",
  "prompt is too long: 300000 tokens > 200000 maximum",
])("may be there for good: %s", (said) => {
  expect(isPassingFailure(said)).toBe(false);
});
