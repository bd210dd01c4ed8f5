/** The program: `node main.ts WIRE MAX_BYTES`. A prompt with `seed:N` in it gets the turn of that seed. */
import { LineSplitter, readableText } from "../../process/line-splitter.ts";
import { Random } from "../random.ts";
import { HostileJson } from "./hostile-json.ts";
import { drawTurn } from "./play-turn.ts";
import { WIRES, type WireName } from "./wire.ts";

const [wireName = "acp", maxBytes = "100000"] = process.argv.slice(2);
const wire = WIRES[wireName as WireName];

async function write(piece: string | Buffer): Promise<void> {
  if (process.stdout.write(piece)) return;
  await new Promise((resolve) => process.stdout.once("drain", resolve));
}

function say(message: object): Promise<void> {
  return write(`${JSON.stringify(message)}\n`);
}

async function hear({ id, method = "", params = {} }: { id?: unknown; method?: string; params?: unknown }) {
  if (wire.isPrompt(method)) return prompt(id, params);
  if (id !== undefined && method !== "") await say(wire.answer(id, wire.answers[method]));
}

async function prompt(id: unknown, params: unknown): Promise<void> {
  const random = new Random(Number(/seed:(\d+)/.exec(wire.textOf(params))?.[1] ?? 0));
  const answer = wire.answer(id, wire.answers["session/prompt"] ?? wire.answers.prompt);
  if (!wire.answersAtEnd) await say(answer);
  const begun = wire.begin(params);
  if (begun) await say(begun);
  const { pieces, end } = drawTurn(random, wire, Number(maxBytes));
  for (const piece of pieces) await write(piece);
  // What was left of half a line ends here, so that the end is a line of its own.
  await write("\n");
  const last = wire.end() ?? answer;
  if (end === "good") await say(last);
  if (end === "damaged") await write(`${new HostileJson(random, Number(maxBytes)).damage(last)}\n`);
  if (end === "leaves") process.exit(random.integer(0, 3));
}

process.stdout.on("error", () => process.exit(0));
const splitter = new LineSplitter();
for await (const chunk of process.stdin)
  for (const line of splitter.push(chunk)) await hear(JSON.parse(readableText(line)));
process.exit(0);
