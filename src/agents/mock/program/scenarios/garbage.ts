import type { Scenario } from "../scenario.ts";

const LINES: readonly (string | Buffer)[] = [
  "this is not JSON",
  '{"event":"block_delta","text":"half a li',
  '{"event":"warp_drive","level":9}',
  '{"event":"block_delta","text":"for no block"}',
  '{"strange":true}',
  "[1,2,3]",
  "null",
  Buffer.from([0xff, 0xfe, 0x00, 0x80, 0x7b]),
];

export const GARBAGE: Scenario = {
  name: "garbage",
  summary: `${LINES.length} lines that mean nothing`,
  async play(turn) {
    await turn.text("Something odd is coming.");
    for (const line of LINES) await turn.session.output.sendLine(line);
    await turn.text("That was odd.");
  },
};
