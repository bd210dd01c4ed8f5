/** `interlingua tail SESSION`: the log of a session as it grows, one JSON event per line. */
import { CLIENT_OPTIONS, type Command, type Invocation } from "../command.ts";
import { callJson } from "../daemon-client.ts";
import { findDaemon } from "../find-daemon.ts";
import { followEvents } from "../follow-events.ts";
import { print, printNote } from "../output.ts";
import { UsageError } from "../usage-error.ts";

export const tail: Command = {
  name: "tail",
  positionals: ["SESSION"],
  summary: "Print the events of a session, one JSON object per line, and follow it",
  details: "A lost connection is taken up again after the last event printed. Ctrl-C ends it.",
  options: {
    after: { type: "string", placeholder: "SEQ", help: "Begin after this event (0: from the start)" },
    follow: { type: "boolean", help: "Stay and print what comes (the default)" },
    "no-follow": { type: "boolean", help: "Print what is there and end" },
    ...CLIENT_OPTIONS,
  },
  async run(invocation) {
    const session = encodeURIComponent(invocation.positionals[0]!);
    const after = readSequence(invocation.flags.text("after") ?? "0");
    if (invocation.flags.on("no-follow")) await printPages(invocation, session, after);
    else await follow(invocation, session, after);
    return 0;
  },
};

async function follow(invocation: Invocation, session: string, after: number): Promise<void> {
  const interrupt = new AbortController();
  process.once("SIGINT", () => interrupt.abort());
  const events = followEvents({
    findDaemon: () => findDaemon(invocation),
    session,
    after,
    signal: interrupt.signal,
    onInterruption: (reason) => printNote(`${reason} Trying again.`),
  });
  for await (const event of events) print(event);
}

async function printPages(invocation: Invocation, session: string, after: number): Promise<void> {
  const daemon = await findDaemon(invocation);
  for (let last = after; ; ) {
    const page = await callJson<{ events: { seq: number }[]; hasMore: boolean }>(
      daemon,
      `/v1/sessions/${session}/events`,
      { query: { after: last, limit: 1000 } },
    );
    for (const event of page.events) print(JSON.stringify(event));
    if (!page.hasMore) return;
    last = page.events.at(-1)!.seq;
  }
}

function readSequence(text: string): number {
  if (!/^\d+$/.test(text)) {
    throw new UsageError(`--after: "${text}" is not the seq of an event. Give 0 or a positive number.`);
  }
  return Number(text);
}
