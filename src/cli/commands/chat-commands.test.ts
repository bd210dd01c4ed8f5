/** The commands of `chat`, also while an ask is open, at real pseudo terminals. */
import { describe, expect, test } from "vitest";
import { leave, PERMISSION, projectWithDaemon, QUESTION, TURN_ENDED } from "../project-test-support.ts";
import { CTRL_C } from "../terminal-test-support.ts";

const here = projectWithDaemon();
const { project, chat, prompts, answers } = here;

describe("commands with a slash", () => {
  test("change the session, tell about it, and are not given to the agent", async () => {
    const terminal = await chat("commands");
    terminal.type("/rename Three words\r");
    await terminal.sees("The title is Three words now.");
    terminal.type("/permissions acceptEdits\r");
    await terminal.sees("The permission mode is acceptEdits now.");
    terminal.type("/permissions\r");
    await terminal.sees("* acceptEdits");
    terminal.type("/permissions wild\r");
    await terminal.sees("There is no wild.");
    terminal.type("/help\r");
    await terminal.sees("/interrupt");
    terminal.type("/agent\r");
    await terminal.sees(project);
    terminal.type("/sessions\r");
    await terminal.sees("Three words");
    terminal.type("/interrupt\r");
    await terminal.sees("Nothing runs.");
    expect(await leave(terminal)).toBe(0);
    expect(await prompts("commands")).toEqual([]);
  });

  test("of the agent are passed on, and one that nobody has is not", async () => {
    const terminal = await chat("theirs");
    terminal.type("//help\r");
    await terminal.sees("scenario:echo-split");
    await terminal.sees(TURN_ENDED);
    terminal.type("/settings\r");
    await terminal.sees("effort medium");
    terminal.type("/settings effort high\r");
    await terminal.sees("effort is high now");
    terminal.type("/compct\r");
    await terminal.sees("There is no /compct. Did you mean /compact?");
    terminal.type("/compact\r");
    await terminal.sees(TURN_ENDED);
    expect(await leave(terminal)).toBe(0);
    expect(await prompts("theirs")).toHaveLength(2);
  });
});

describe("while an ask is open", () => {
  test("commands work, and it is shown again", async () => {
    const terminal = await chat("ask-commands");
    terminal.type("scenario:approve\r");
    await terminal.sees(PERMISSION);
    terminal.type("/help\r");
    await terminal.sees("/interrupt");
    await terminal.sees("? Run npm test");
    await terminal.sees(PERMISSION);
    terminal.type("/queue\r");
    await terminal.sees("Nothing waits.");
    await terminal.sees(PERMISSION);
    terminal.type("1\r");
    await terminal.sees("passed-30");
    await terminal.sees(TURN_ENDED);
    expect(await leave(terminal)).toBe(0);
    expect(await answers("ask-commands")).toEqual([{ option: "allow" }]);
  });

  test("/stop stops the turn, and it goes away", async () => {
    const terminal = await chat("ask-stopped");
    terminal.type("scenario:approve\r");
    await terminal.sees(PERMISSION);
    terminal.type("/stop\r");
    await terminal.sees("The turn ended as interrupted.");
    expect(await leave(terminal)).toBe(0);
    expect(terminal.shown().match(/3\) Deny/g)).toHaveLength(1);
  });

  test("/exit leaves it open", async () => {
    const terminal = await chat("ask-left");
    terminal.type("scenario:question\r");
    await terminal.sees(QUESTION);
    terminal.type("/exit\r");
    expect((await terminal.ended).code).toBe(0);
    expect(await (await here.client.sessions.get("ask-left")).asks()).toHaveLength(1);
  });
});

test("slips are said: a file that is not there, a model that the agent does not name, /steer where nothing runs", async () => {
  const terminal = await chat("slips");
  terminal.type("/steer scenario:echo see @nope.md\r");
  await terminal.sees("(Nothing runs, so this begins a turn.)");
  await terminal.sees("(There is no file nope.md in");
  await terminal.sees(TURN_ENDED);
  terminal.type("/model nope\r");
  await terminal.sees("mock has not named it: it knows mock-large, mock-small.");
  terminal.type("/mode\r");
  await terminal.sees("* build  Reads");
  await terminal.sees("  plan   Proposes");
  terminal.type(CTRL_C);
  await terminal.sees("Ctrl-C again leaves");
  terminal.type(CTRL_C);
  expect((await terminal.ended).code).toBe(0);
});
