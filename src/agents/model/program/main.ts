/**
 * The model agent's program. It reads requests from stdin and writes answers and events to stdout, one JSON object
 * per line (wire.ts has their types). It leaves when its input ends.
 */
import { LineSplitter, readableText } from "../../../process/line-splitter.ts";
import { ProgramOutput } from "../../transport/program-output.ts";
import { RequestError } from "../../transport/request-error.ts";
import type { ModelAccess, WireRequest } from "../wire.ts";
import { openSession } from "./open-session.ts";
import type { ModelSession, Output } from "./session.ts";

const output: Output = new ProgramOutput(process.stdout);
/** Its first line. */
let access: ModelAccess | undefined;
let session: ModelSession | undefined;

async function handle(request: WireRequest, access: ModelAccess): Promise<unknown> {
  if (session) return session.handle(request);
  if (request.method !== "open") throw new RequestError("not_open", "Open a conversation first.");
  const opened = await openSession(output, request.params, access);
  session = opened.session;
  return opened.result;
}

async function answer(line: string): Promise<void> {
  if (!access) {
    access = JSON.parse(line) as ModelAccess;
    return;
  }
  const request: WireRequest = JSON.parse(line);
  try {
    const result = await handle(request, access);
    void output.send({ id: request.id, result });
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    void output.send({ id: request.id, error: error.toWire() });
  }
}

/** One after the other, so that requests keep their order. */
let answered: Promise<void> = Promise.resolve();
const splitter = new LineSplitter();
process.stdin.on("data", (chunk: Buffer) => {
  for (const line of splitter.push(chunk)) {
    const text = readableText(line);
    answered = answered.then(() => answer(text));
  }
});
process.stdin.on("end", () => process.exit(0));
// The reader is gone: nobody is left to work for.
process.stdout.on("error", () => process.exit(0));
