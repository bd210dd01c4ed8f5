/** What is typed and pasted at an open ask, in `chat` and `run` at real pseudo terminals, against a real daemon. */
import { describe, expect, test } from "vitest";
import { leave, PERMISSION, projectWithDaemon, QUESTION, TURN_ENDED } from "../project-test-support.ts";
import { type AtTerminal, CTRL_C } from "../terminal-test-support.ts";

const { at, answers } = projectWithDaemon();

/** At the `>` of what the agent asks. */
async function asked(
  command: "chat" | "run",
  session: string,
  scenario: "approve" | "question",
): Promise<AtTerminal> {
  const prompt = `scenario:${scenario}`;
  const words = command === "run" ? ["run", prompt] : ["chat"];
  const terminal = at([...words, "--agent", "mock", "--session", session]);
  if (command === "chat") {
    await terminal.sees("› ");
    terminal.type(`${prompt}\r`);
  }
  await terminal.sees(scenario === "approve" ? PERMISSION : QUESTION);
  return terminal;
}

async function ends(terminal: AtTerminal, command: "chat" | "run" = "chat"): Promise<void> {
  await terminal.sees(TURN_ENDED);
  expect(command === "chat" ? await leave(terminal) : (await terminal.ended).code).toBe(0);
}

function paste(...lines: string[]): string {
  return `\u001b[200~${lines.join("\r")}\u001b[201~`;
}

describe.each(["chat", "run"] as const)("pasted at an ask of %s", (command) => {
  test("a list that begins with a number allows nothing, before and after Enter", async () => {
    const session = `list-${command}`;
    const terminal = await asked(command, session, "approve");
    terminal.type(paste("1. First rename it", "2. Then test it", ""));
    await terminal.sees("| 2. Then test it\n| ");
    expect(await answers(session)).toEqual([]);
    terminal.type("\r");
    await terminal.sees("Give a number from 1 to 3");
    await terminal.sees("begin with n or no.");
    await terminal.sees("\n> ");
    terminal.type(paste("yes, but", "not now"));
    terminal.type("\r");
    await terminal.sees("begin with n or no.");
    await terminal.sees("\n> ");
    expect(await answers(session)).toEqual([]);
    terminal.type("3\r");
    await ends(terminal, command);
    expect(await answers(session)).toEqual([{ option: "deny" }]);
  });

  test("no, with reasons of several lines, is sent whole with Enter", async () => {
    const session = `reasons-${command}`;
    const terminal = await asked(command, session, "approve");
    terminal.type(paste("no, because", "it is wrong"));
    await terminal.sees("| it is wrong");
    expect(await answers(session)).toEqual([]);
    terminal.type(" here\r");
    await ends(terminal, command);
    expect(await answers(session)).toEqual([{ option: "deny", message: "because\nit is wrong here" }]);
  });

  test("an answer of one line with its line break waits for Enter", async () => {
    const session = `one-${command}`;
    const terminal = await asked(command, session, "approve");
    terminal.type(paste("n", ""));
    await terminal.sees("n\n| ");
    expect(await answers(session)).toEqual([]);
    terminal.type("\r");
    await ends(terminal, command);
    expect(await answers(session)).toEqual([{ option: "deny" }]);
  });
});

test("own words of several lines are one answer, pasted or with a backslash at the end of a line", async () => {
  const terminal = await asked("chat", "words", "question");
  terminal.type(`${paste("1. like the sky", "2. but")}darker\\\rat night\r`);
  await ends(terminal);
  expect(await answers("words")).toEqual([{ answers: { q1: ["1. like the sky\n2. butdarker\nat night"] } }]);
});

describe("at an ask", () => {
  test("a mistyped command is said to be none, and does not become the answer", async () => {
    const terminal = await asked("chat", "mistyped", "question");
    terminal.type("/steeer left\r");
    await terminal.sees("There is no /steeer.");
    await terminal.sees(QUESTION);
    terminal.type("/compact\r");
    await terminal.sees("/compact is the agent's");
    await terminal.sees(QUESTION);
    terminal.type("//compact\r");
    await ends(terminal);
    expect(await answers("mistyped")).toEqual([{ answers: { q1: ["/compact"] } }]);
  });

  test("a path is an answer in own words, and no command", async () => {
    const terminal = await asked("chat", "path", "question");
    terminal.type("/usr/share\r");
    await ends(terminal);
    expect(await answers("path")).toEqual([{ answers: { q1: ["/usr/share"] } }]);
  });

  test("words that are no answer are told what else works there", async () => {
    const talking = await asked("chat", "no-answer-chat", "approve");
    talking.type("use pnpm\r");
    await talking.sees("words to the agent can follow.\n/steer TEXT says it to the running turn");
    await talking.sees("\n> ");
    talking.type("n\r");
    await ends(talking);
    const running = await asked("run", "no-answer-run", "question");
    running.type("7\r");
    await running.sees("or your own words.\nCtrl-C stops the turn, Ctrl-D leaves this open.\n> ");
    running.type("2\r");
    await ends(running, "run");
  });

  test("what becomes of /steer is said before the ask is shown again", async () => {
    const terminal = await asked("chat", "steered", "approve");
    terminal.type("/steer mind the tests\r");
    await terminal.sees("(Goes to the running turn.)\n? Run npm test");
    await terminal.sees(PERMISSION);
    terminal.type("n\r");
    await ends(terminal);
  });
});

test.each(["chat", "run"] as const)(
  "after Ctrl-C at an ask of %s nobody is asked any more",
  async (command) => {
    const terminal = await asked(command, `stopped-${command}`, "approve");
    terminal.type(CTRL_C);
    await terminal.sees("The turn ended as interrupted.");
    const code = command === "chat" ? await leave(terminal) : (await terminal.ended).code;
    expect(code).toBe(command === "chat" ? 0 : 130);
    const [, after = ""] = terminal.shown().split("Stopping.");
    expect(after).not.toMatch(/^> /m);
  },
);

test("/sessions shows the first prompt of a session without a title", async () => {
  const terminal = await asked("chat", "untitled", "approve");
  terminal.type("/sessions\r");
  await terminal.sees("TITLE");
  await terminal.sees(PERMISSION);
  expect(terminal.shown()).toMatch(/^\* +untitled +mock .* scenario:approve$/m);
  terminal.type("n\r");
  await ends(terminal);
});
