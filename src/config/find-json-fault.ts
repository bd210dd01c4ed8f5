/** Where a text stops being JSON. For messages that must not quote the text, as those of `JSON.parse` do. */

/** Both from 1. For a text that ends too early, its end. */
export function findJsonFault(text: string): { line: number; column: number } {
  // A beginning of the text is cut short or, from the fault on, wrong; so the fault can be searched for by halving.
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
