/** `interlingua replay FILE|SESSION`: translates what an agent said again, with the current translators. */
import { CONFIG_OPTION, type CommandBody, type Flags, READER_OPTIONS } from "../command.ts";
import { REPLAY_FORMATS, type ReplayFormat } from "../replay/replay-format.ts";
import { UsageError } from "../usage-error.ts";

const NAMES = REPLAY_FORMATS.join(", ");

export const replay: CommandBody = {
  positionals: ["FILE|SESSION"],
  details: [
    "Prints one JSON object per line:",
    "  events    the events it means (the default)",
    "  messages  the messages these make",
    "  ai-sdk    each assistant message as chunks of the AI SDK's UI message stream, as they were streamed",
    "  raw       the raw records themselves",
    "With --verify only the verdict is printed: the events are compared with those stored for the session, or",
    "for X.recording.jsonl with X.events.jsonl beside it. Ids, times and what no raw record tells may differ.",
    "Exit code 0 when they are the same, else 1.",
    "An agent that only the config knows is read as its protocol there says.",
  ].join("\n"),
  options: {
    agent: { type: "string", placeholder: "NAME", help: "Whose recording it is; a session knows its agent" },
    as: {
      type: "string",
      placeholder: "FORMAT",
      values: REPLAY_FORMATS,
      help: `Print it as ${NAMES} (events)`,
    },
    verify: { type: "boolean", help: "Compare it with what was stored" },
    ...READER_OPTIONS,
    ...CONFIG_OPTION,
  },
  async run(invocation) {
    const format = readFormat(invocation.flags);
    // The translators of all agents are loaded only for this command.
    const { openReplaySource } = await import("../replay/replay-source.ts");
    const { printReplay, printVerdict } = await import("../replay/print-replay.ts");
    const source = await openReplaySource(invocation);
    try {
      if (invocation.flags.on("verify")) return (await printVerdict(source)) ? 0 : 1;
      await printReplay(source, format);
      return 0;
    } finally {
      await source.close();
    }
  },
};

function readFormat(flags: Flags): ReplayFormat {
  const name = flags.text("as") ?? "events";
  const format = REPLAY_FORMATS.find((known) => known === name);
  if (format) return format;
  throw new UsageError(`--as: there is no format "${name}". Use one of ${NAMES}.`);
}
