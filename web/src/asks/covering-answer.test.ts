/** Which earlier answer allowed a call, and where nobody can tell. */
import { expect, test } from "vitest";
import type { AlwaysAllowed } from "../api/types.ts";
import { coveringAnswer } from "./covering-answer.ts";

function answer(seq: number, ...covers: string[]): AlwaysAllowed {
  return { ask: `a${seq}`, seq, title: "Run it", label: "Always allow", covers, by: "ada", at: seq };
}

const call = { seq: 20, name: "Bash", command: "npm test" };

test("a rule that is the tool covers each later call of it, and none before", () => {
  expect(coveringAnswer([answer(10, "Bash")], call)?.ask).toBe("a10");
  expect(coveringAnswer([answer(20, "Bash")], call)).toBeUndefined();
  expect(coveringAnswer([answer(10, "Write", "Edit")], call)).toBeUndefined();
  expect(
    coveringAnswer([answer(5, "Bash"), answer(10, "Write", "Bash"), answer(30, "Bash")], call)?.ask,
  ).toBe("a10");
});

test("a rule for a command covers exactly that; of patterns nothing is said", () => {
  expect(coveringAnswer([answer(10, "Bash(npm test)")], call)?.ask).toBe("a10");
  for (const pattern of ["Bash(npm *)", "Bash(npm test:*)", "Bash(npm tes)", "npm test", "bash", "*"])
    expect(coveringAnswer([answer(10, pattern)], call)).toBeUndefined();
  expect(coveringAnswer([answer(10, "Bash(ls *)")], { ...call, command: "ls *" })).toBeUndefined();
  expect(coveringAnswer([{ ...answer(10), covers: undefined }], call)).toBeUndefined();
});
