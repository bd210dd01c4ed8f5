/** Reads SEARCH/REPLACE blocks. */
import { ToolFailure } from "../tool-failure.ts";

export interface Block {
  /** From 1. */
  readonly number: number;
  /**
   * Lines to find and lines to put there. Usually one pair. A block with several lines of `=======`, as under a heading
   * or in a merge conflict, can be read in as many ways: the longest search first, since what is searched for is known.
   */
  readonly readings: readonly Reading[];
}

export interface Reading {
  readonly search: readonly string[];
  readonly replace: readonly string[];
}

const START = /^(?:<{7}|-{7}) ?SEARCH>?\s*$/;
const DIVIDER = /^={7}\s*$/;
const END = /^(?:>{7}|\+{7}) ?REPLACE\s*$/;
const FENCE = /^\s*(?:```.*)?$/;

const MAX_BLOCKS = 200;

/** More ways to read one block are not tried. */
const MAX_DIVIDERS = 20;

/** Throws `ToolFailure` for what is no sequence of blocks. Lines come without their line break. */
export function parseBlocks(diff: string): Block[] {
  const blocks: Block[] = [];
  let open: string[] | undefined;
  for (const [index, line] of diff.split(/\r?\n/).entries()) {
    if (open === undefined) {
      if (START.test(line)) open = [];
      else if (!FENCE.test(line))
        throw malformed(
          `line ${index + 1} of the diff is outside of a block: ${JSON.stringify(line.slice(0, 80))}`,
        );
    } else if (END.test(line)) {
      blocks.push({ number: blocks.length + 1, readings: readingsOf(open, blocks.length + 1) });
      open = undefined;
    } else if (START.test(line)) {
      throw malformed(`block ${blocks.length + 1} has no line ">>>>>>> REPLACE" before the next one begins`);
    } else {
      open.push(line);
    }
  }
  if (open) throw malformed(`block ${blocks.length + 1} has no line ">>>>>>> REPLACE"`);
  if (blocks.length === 0) throw malformed("it has no block");
  if (blocks.length > MAX_BLOCKS) throw malformed(`it has more than ${MAX_BLOCKS} blocks`);
  return blocks;
}

function readingsOf(lines: readonly string[], number: number): Reading[] {
  const dividers = lines.flatMap((line, index) => (DIVIDER.test(line) ? [index] : []));
  if (dividers.length === 0) throw malformed(`block ${number} has no line "======="`);
  if (dividers.length > MAX_DIVIDERS)
    throw malformed(`block ${number} has more than ${MAX_DIVIDERS} lines "======="`);
  return dividers.reverse().map((at) => ({ search: lines.slice(0, at), replace: lines.slice(at + 1) }));
}

function malformed(reason: string): ToolFailure {
  const form = "<<<<<<< SEARCH\n(lines to find)\n=======\n(lines to put there)\n>>>>>>> REPLACE";
  return new ToolFailure(
    "invalid_argument",
    `The diff cannot be read: ${reason}. A block looks like this:\n${form}`,
  );
}
