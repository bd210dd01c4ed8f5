/** The line of `chat`: what is pasted, completed with Tab and brought back, at real pseudo terminals. */
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { eventually } from "../../testkit/eventually.ts";
import { leave, PERMISSION, projectWithDaemon, QUESTION, TURN_ENDED } from "../project-test-support.ts";
import { ARROW_UP, CTRL_C, CTRL_R } from "../terminal-test-support.ts";

const { project, data, chat, prompts, answers } = projectWithDaemon();

beforeAll(() => writeFileSync(join(project, "notes.md"), "# Notes\n"));

test("pasted lines, and lines that end with a backslash, are one prompt", async () => {
  const terminal = await chat("lines");
  terminal.type("\u001b[200~scenario:echo one\rtwo\r\u001b[201~three\\\rfour\r");
  await terminal.sees(TURN_ENDED);
  expect(await leave(terminal)).toBe(0);
  expect(await prompts("lines")).toEqual([
    [expect.objectContaining({ text: "scenario:echo one\ntwo\nthree\nfour" })],
  ]);
});

test("Tab completes commands, their arguments and files, which go along", async () => {
  const terminal = await chat("tabs");
  terminal.type("scenario:echo @no");
  terminal.type("\t");
  await terminal.sees("@notes.md");
  terminal.type("\r");
  await terminal.sees(TURN_ENDED);
  await terminal.sees("› ");
  terminal.type("/comp");
  // The agent's own command is known soon after it runs.
  await eventually("the agent's command", () => {
    terminal.type("\t");
    return terminal.shown().includes("/compact");
  });
  terminal.type(CTRL_C);
  terminal.type("/model mock-s");
  await terminal.sees("/model mock-s");
  terminal.type("\t");
  await terminal.sees("mall");
  terminal.type("\r");
  await terminal.sees("The model is mock-small now.");
  expect(await leave(terminal)).toBe(0);
  expect(await prompts("tabs")).toEqual([
    [expect.objectContaining({ type: "text" }), expect.objectContaining({ path: join(project, "notes.md") })],
  ]);
});

test("what was typed is there again in the next chat, for its owner only, and answers are not", async () => {
  const first = await chat("history");
  first.type("scenario:question\r");
  await first.sees(QUESTION);
  first.type("Violet\r");
  await first.sees("You chose: Violet");
  await first.sees(TURN_ENDED);
  expect(await leave(first)).toBe(0);
  const second = await chat("history-again");
  second.type(ARROW_UP);
  await second.sees("scenario:question");
  second.type(CTRL_C);
  expect(await leave(second)).toBe(0);
  const file = join(data, "chat-history");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, "utf8")).not.toContain("Violet");
});

test("a prompt of several lines comes back whole, and not into the answer to an ask", async () => {
  const first = await chat("several-lines");
  first.type("scenario:approve one\\\rtwo\r");
  await first.sees(PERMISSION);
  first.type(`${ARROW_UP}no, use pnpm\r`);
  await first.sees("✗ Run npm test: not allowed");
  await first.sees(TURN_ENDED);
  expect(await leave(first)).toBe(0);
  const second = await chat("several-lines-again");
  second.type(ARROW_UP);
  await second.sees("› scenario:approve one\n| two");
  second.type(" three\r");
  await second.sees(PERMISSION);
  second.type("y\r");
  await second.sees(TURN_ENDED);
  expect(await leave(second)).toBe(0);
  expect(await prompts("several-lines-again")).toEqual([
    [expect.objectContaining({ text: "scenario:approve one\ntwo three" })],
  ]);
  expect(await answers("several-lines")).toEqual([{ option: "deny", message: "use pnpm" }]);
});

test("Ctrl-R finds an earlier prompt by a word in it", async () => {
  const terminal = await chat("searched");
  for (const word of ["apricot", "banana"]) {
    terminal.type(`scenario:echo ${word}\r`);
    await terminal.sees(TURN_ENDED);
  }
  terminal.type(CTRL_R);
  terminal.type("apri");
  await terminal.sees("(search: apri) scenario:echo apricot");
  terminal.type("\r");
  await terminal.sees(TURN_ENDED);
  terminal.type(CTRL_R);
  terminal.type("zzz");
  await terminal.sees("(not found: zzz)");
  terminal.type(CTRL_C);
  expect(await leave(terminal)).toBe(0);
  expect(await prompts("searched")).toHaveLength(3);
});
