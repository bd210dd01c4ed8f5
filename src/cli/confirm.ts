/** Asks the person at the terminal before something is done that has to be meant. */
import { createInterface } from "node:readline/promises";
import { UsageError } from "./usage-error.ts";

/** Whether the answer was yes. Throws where nobody can be asked. */
export async function confirm(question: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new UsageError("Nobody can be asked here whether that is meant. Give --yes.");
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  // By Ctrl-C or Ctrl-D.
  const ended = new Promise<undefined>((resolve) => terminal.once("close", () => resolve(undefined)));
  try {
    const answer = await Promise.race([terminal.question(`${question} [y/N] `), ended]);
    if (answer === undefined) process.stderr.write("\n");
    return /^y(es)?$/i.test(answer?.trim() ?? "");
  } finally {
    terminal.close();
  }
}
