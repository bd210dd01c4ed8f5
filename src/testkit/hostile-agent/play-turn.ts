/** A turn drawn from a seed: what is said, how often, in what order, how damaged, and whether it ends at all. */
import type { Random } from "../random.ts";
import { HostileJson } from "./hostile-json.ts";
import type { Wire } from "./wire.ts";

/** How a turn ends: as it should, with a damaged end, by leaving, or not at all. */
export type TurnEnd = "good" | "damaged" | "leaves" | "silent";

export interface HostileTurn {
  /** What is written before the end, in pieces. */
  pieces: Iterable<string | Buffer>;
  end: TurnEnd;
}

const FLOOD = 300;
const NO_TEXT = [
  Buffer.from([0xff, 0xfe, 0x0a]),
  Buffer.from('{"a":"\u0000"}\n'),
  Buffer.from("\n\r\n\n"),
  Buffer.from('{"half":'),
  Buffer.from([0xe2, 0x82]),
  Buffer.from("[]\n42\n"),
];

export function drawTurn(random: Random, wire: Wire, maxBytes: number): HostileTurn {
  const end = random.pick<TurnEnd>(["good", "good", "good", "good", "damaged", "leaves", "silent"]);
  return { pieces: drawPieces(random, wire, maxBytes), end };
}

function* drawPieces(random: Random, wire: Wire, maxBytes: number): Generator<string | Buffer> {
  const json = new HostileJson(random, maxBytes);
  for (let count = random.size(60); count > 0; count -= 1) {
    if (random.chance(0.05)) yield random.pick(NO_TEXT);
    yield drawLines(random, json, random.pick(wire.examples));
  }
}

function drawLines(random: Random, json: HostileJson, example: object): string {
  const dice = random.next();
  if (dice < 0.3) return `${JSON.stringify(example)}\n`;
  if (dice < 0.34) return `${json.value()}\n`;
  if (dice < 0.38) return flood(example, random);
  return `${json.damage(example)}\n`;
}

/** Much of the same thing, each time with other ids: calls, parts, asks and tasks that nobody ends. */
function flood(example: object, random: Random): string {
  const text = JSON.stringify(example);
  const isOfMany = random.chance(0.5);
  return Array.from({ length: FLOOD }, (_, index) => {
    const line = isOfMany ? text.replace(/"(call|request|[abckpt])-?\d"/g, `"$1${index}"`) : text;
    return `${line}\n`;
  }).join("");
}
