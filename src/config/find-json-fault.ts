/** Finds where a text stops being JSON, for messages that must not quote the text as `JSON.parse` does. */

/** Both count from 1. If the text ends too early, its end. */
export function findJsonFault(text: string): { line: number; column: number } {
  // A prefix of the text is incomplete before the fault and invalid after it, so a binary search finds the fault.
  let [right, wrong] = [0, text.length + 1];
  while (wrong - right > 1) {
    const middle = (right + wrong) >> 1;
    if (isBeginningOfJson(text.slice(0, middle))) right = middle;
    else wrong = middle;
  }
  const lines = text.slice(0, right).split("\n");
  return { line: lines.length, column: lines.at(-1)!.length + 1 };
}

/** Whether more text could make it JSON. */
function isBeginningOfJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const { message } = error as Error;
    const position = /at position (\d+)/.exec(message)?.[1];
    return position === undefined ? /^Unexpected end/.test(message) : Number(position) >= text.length;
  }
}
