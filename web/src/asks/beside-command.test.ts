import { expect, test } from "vitest";
import { besideCommand } from "./beside-command.ts";

test("a command in the session's directory, with the words the card says, has nothing beside it", () => {
  const input = { command: "npm test", cwd: "/work", description: "Runs the tests", timeout: null };
  expect(besideCommand(input, { cwd: "/work", description: "Runs the tests" })).toBeUndefined();
  expect(besideCommand({ cmd: ["npm", "test"] }, {})).toBeUndefined();
});

test("another directory, and whatever else is allowed with it, is told", () => {
  expect(besideCommand({ command: "rm -rf build", cwd: "/home" }, { cwd: "/work" })).toEqual({
    cwd: "/home",
  });
  expect(besideCommand({ command: "delete", path: "/work" }, { cwd: "/work" })).toEqual({ path: "/work" });
  const file = { path: "/etc/hosts", file_text: "127.0.0.1" };
  expect(besideCommand({ command: "create", ...file }, {})).toEqual(file);
  expect(besideCommand({ command: "status", cmd: "rm -rf x", sql: "DROP" }, {})).toEqual({
    cmd: "rm -rf x",
    sql: "DROP",
  });
  expect(besideCommand({ command: null, cmd: "ls", background: false }, {})).toEqual({ background: false });
});
