/**
 * The mock agent's program. It reads requests from stdin and writes answers and events to stdout, one JSON object
 * per line (wire.ts has their types). It leaves when its input ends.
 */
import { LineSplitter, readableText } from "../../../process/line-splitter.ts";
import { ProgramOutput } from "../../transport/program-output.ts";
import { RequestError } from "../../transport/request-error.ts";
import type { WireRequest } from "../wire.ts";
import { openSession } from "./open-session.ts";
import type { Output } from "./output.ts";
import type { MockSession } from "./session.ts";

const [stateDirectory] = process.argv.slice(2);
if (stateDirectory === undefined) {
  process.stderr.write("usage: main.ts STATE_DIRECTORY\n");
  process.exit(2);
}

const output: Output = new ProgramOutput(process.stdout);
let session: MockSession | undefined;

function handle(request: WireRequest): unknown {
  if (session) return session.handle(request);
  if (request.method !== "open") throw new RequestError("not_open", "Open a conversation first.");
  const opened = openSession(output, stateDirectory!, request.params);
  session = opened.session;
  return opened.result;
}

/** Acts and answers before the next request is looked at, so that requests keep their order. */
function answer(line: string): void {
  const request: WireRequest = JSON.parse(line);
  try {
    void output.send({ id: request.id, result: handle(request) });
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    void output.send({ id: request.id, error: error.toWire() });
  }
}

const splitter = new LineSplitter();
process.stdin.on("data", (chunk: Buffer) => {
  for (const line of splitter.push(chunk)) answer(readableText(line));
});
process.stdin.on("end", () => process.exit(0));
// The reader is gone: nobody is left to work for.
process.stdout.on("error", () => process.exit(0));
