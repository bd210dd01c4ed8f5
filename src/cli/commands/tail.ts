/** `interlingua tail SESSION`: the log of a session as it grows, one JSON event per line. */
import type { Session, StreamState } from "../../sdk/exports.ts";
import { type CommandBody, type Invocation, READER_OPTIONS } from "../command.ts";
import { NoDaemonError } from "../find-daemon.ts";
import { openReader } from "../open-reader.ts";
import { print, printNote } from "../output.ts";
import { connectSession, resolveSession } from "../resolve-session.ts";
import { UsageError } from "../usage-error.ts";

/** Somebody looks at it, and ends it when it is enough. */
const FOREVER = Number.POSITIVE_INFINITY;

export const tail: CommandBody = {
  positionals: ["SESSION"],
  details: [
    "A lost connection is taken up again after the last event printed. Ctrl-C ends it.",
    "Following needs a daemon; with --no-follow what the last one wrote is read where none runs.",
  ].join("\n"),
  options: {
    after: { type: "string", placeholder: "SEQ", help: "Begin after this event (0: from the start)" },
    follow: { type: "boolean", help: "Stay and print what comes (the default)" },
    "no-follow": { type: "boolean", help: "Print what is there and end" },
    ...READER_OPTIONS,
  },
  async run(invocation) {
    const after = readSequence(invocation.flags.text("after") ?? "0");
    if (invocation.flags.on("no-follow")) await printStored(invocation, after);
    else await follow(invocation, after);
    return 0;
  },
};

async function follow(invocation: Invocation, after: number): Promise<void> {
  const interrupt = new AbortController();
  process.once("SIGINT", () => interrupt.abort());
  let isLost = false;
  const onState = (stream: StreamState) => {
    if (stream.state === "reconnecting" && !isLost)
      printNote(`The connection is lost (${stream.reason}). Trying again.`);
    isLost = stream.state === "reconnecting";
  };
  const session = await findSession(invocation);
  const events = session.events({ after, signal: interrupt.signal, onState, unreachableMs: FOREVER });
  for await (const event of events) print(JSON.stringify(event));
}

/** A daemon that never answered is not waited for. */
async function findSession(invocation: Invocation): Promise<Session> {
  try {
    return await connectSession(invocation);
  } catch (error) {
    if (!(error instanceof NoDaemonError)) throw error;
    throw new Error(`${error.message}, or print what is stored with --no-follow`, { cause: error });
  }
}

async function printStored(invocation: Invocation, after: number): Promise<void> {
  const reader = await openReader(invocation);
  try {
    const id = await resolveSession(reader, invocation.positionals[0]!);
    for await (const event of reader.events(id, after)) print(event);
  } finally {
    await reader.close();
  }
}

function readSequence(text: string): number {
  if (!/^\d+$/.test(text)) {
    throw new UsageError(`--after: "${text}" is not the seq of an event. Give 0 or a positive number.`);
  }
  return Number(text);
}
