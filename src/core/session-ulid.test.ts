import { expect, it } from "vitest";
import { sessionUlid } from "./session-ulid.ts";

const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

it("a session's ULID never changes: clients keep it", () => {
  expect(sessionUlid("demo", 1_700_000_000_000)).toBe("01HF7YAT00E9VVG1M05CWP85MV");
});

it("is a ULID for any id and any clock", () => {
  for (const id of ["a", "..x", "z".repeat(128)])
    for (const at of [-5, 0, 1.5, 1_700_000_000_000, 2 ** 48, Number.MAX_SAFE_INTEGER])
      expect(sessionUlid(id, at)).toMatch(ULID);
});

it("differs between sessions of one millisecond, and sorts by time", () => {
  const ids = Array.from({ length: 10_000 }, (_, number) => sessionUlid(`session-${number}`, 1000));
  expect(new Set(ids).size).toBe(ids.length);
  expect(sessionUlid("z", 1000) < sessionUlid("a", 1001)).toBe(true);
});
