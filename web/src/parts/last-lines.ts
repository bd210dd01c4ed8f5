/** The end of an output, where what went wrong usually stands. Pure. */

export interface LastLines {
  text: string;
  /** How many lines are before it. */
  hidden: number;
}

/** An output that is only a little longer is given as a whole. */
const SLACK = 3;

export function lastLines(text: string, count: number): LastLines {
  const lines = text.replace(/\s+$/, "").split("\n");
  if (lines.length <= count + SLACK) return { text, hidden: 0 };
  return { text: lines.slice(-count).join("\n"), hidden: lines.length - count };
}
