/** The line at a real pseudo terminal. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { type AtTerminal, startProgramAtTerminal } from "../terminal-test-support.ts";

/** Runs a program in which `line` is there. */
function program(body: string): AtTerminal {
  const source = `
    import { TerminalLine } from ${JSON.stringify(join(import.meta.dirname, "terminal-line.ts"))};
    const line = new TerminalLine({ onInterrupt() {}, onEnd() {}, onText: (text) => onText(text) });
    let onText = () => {};
    const never = new AbortController().signal;
    const say = (text) => line.print(process.stdout, text);
    ${body}
  `;
  return startProgramAtTerminal([process.execPath, "--input-type=module", "-e", source]);
}

test("a secret answer is not shown, and what is typed afterwards is", async () => {
  const terminal = program(`
    const secret = await line.ask("secret> ", never, true);
    const open = await line.ask("open> ", never);
    line.close();
    console.log("lengths", secret.length, open.length);
  `);
  await terminal.sees("secret> ");
  terminal.type("hunter2\r");
  await terminal.sees("open> ");
  terminal.type("hello\r");
  await terminal.sees("lengths 7 5");
  expect((await terminal.ended).code).toBe(0);
  expect(terminal.shown()).not.toContain("hunter2");
  expect(terminal.shown()).toContain("open> hello");
});

test("a secret of several lines is pasted whole and not shown, and may end with a backslash", async () => {
  const terminal = program(`
    const key = await line.ask("key> ", never, true);
    const password = await line.ask("password> ", never, true);
    line.close();
    console.log("got", Buffer.from(key).toString("hex"), Buffer.from(password).toString("hex"));
  `);
  const hex = (text: string) => Buffer.from(text).toString("hex");
  await terminal.sees("key> ");
  terminal.type("\u001b[200~BEGIN\rhunter2\r\u001b[201~");
  await terminal.sees("| \n| ");
  terminal.type("END\r");
  await terminal.sees("password> ");
  terminal.type("hunter3\\\r");
  await terminal.sees(`got ${hex("BEGIN\nhunter2\nEND")} ${hex("hunter3\\")}`);
  expect((await terminal.ended).code).toBe(0);
  expect(terminal.shown()).not.toMatch(/hunter|BEGIN|END/);
});

test("a second line after one that was closed does not show every key twice", async () => {
  const terminal = program(`
    line.close();
    const second = new TerminalLine({ onInterrupt() {}, onEnd() {} });
    const answer = await second.ask("second> ", never);
    second.close();
    console.log("got", answer);
  `);
  await terminal.sees("second> ");
  terminal.type("once\r");
  await terminal.sees("got once");
  expect((await terminal.ended).code).toBe(0);
  expect(terminal.shown()).toContain("second> once\n");
});

test("what is printed while somebody types comes above the line, whole lines only", async () => {
  const terminal = program(`
    onText = () => { line.close(); };
    say("begin ");
    process.stdin.once("keypress", () => setImmediate(() => { say("middle "); say("end\\nnext "); }));
  `);
  await terminal.sees("begin ");
  terminal.type("x");
  await terminal.sees("middle end\n> x");
  terminal.type("y\r");
  await terminal.sees("next ");
  expect((await terminal.ended).code).toBe(0);
  expect(terminal.shown()).toMatch(/^begin \n> x?/);
});

test("a question that is taken back gives the line and what was typed back", async () => {
  const terminal = program(`
    onText = (text) => { line.close(); console.log("got", text); };
    line.want(true);
    const taken = new AbortController();
    process.stdin.on("keypress", (key) => {
      if (key === "1") setImmediate(() => line.ask("question> ", taken.signal).catch(() => {}));
      if (key === "2") taken.abort();
    });
  `);
  await terminal.sees("> ");
  terminal.type("half1");
  await terminal.sees("question> ");
  terminal.type("other2");
  await terminal.sees("> half1");
  terminal.type(" whole\r");
  await terminal.sees("got half1 whole");
  expect((await terminal.ended).code).toBe(0);
});
