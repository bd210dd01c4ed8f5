import { expect, it } from "vitest";
import { matchingCommands } from "./matching-commands.ts";

const commands = ["compact", "context", "cost", "review", "pr-comments"].map((name) => ({ name }));
const names = (text: string) => matchingCommands(text, commands).map(({ name }) => name);

it("lists all after a slash, and fewer the more is typed", () => {
  expect(names("/")).toEqual(["compact", "context", "cost", "review", "pr-comments"]);
  expect(names("/co")).toEqual(["compact", "context", "cost", "pr-comments"]);
  expect(names("/CON")).toEqual(["context"]);
  expect(names("/nothing")).toEqual([]);
});

it("lists nothing for other text, nor once the command is written", () => {
  expect(names("")).toEqual([]);
  expect(names("look at /co")).toEqual([]);
  expect(names("/compact ")).toEqual([]);
  expect(matchingCommands("/", undefined)).toEqual([]);
});
