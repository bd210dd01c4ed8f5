/** `interlingua xray SESSION [SEQ]`: what an entry of the log came from, and what it became for clients. */
import type { Xray } from "../../sdk/types.ts";
import { CLIENT_OPTIONS, type CommandBody, type Flags, JSON_OPTION } from "../command.ts";
import { print, printJson } from "../output.ts";
import { connectSession } from "../resolve-session.ts";
import { harmless, stylist } from "../run/style.ts";
import { UsageError } from "../usage-error.ts";

export const xray: CommandBody = {
  positionals: ["SESSION", "[SEQ]"],
  details: [
    "SEQ is the number of an event, as tail prints it; the newest when left out. Printed are the raw records",
    "that it came from, all events of the same record, and the frames that clients of each protocol get for them.",
    "What the translator has no use for stands below a record as unread.",
  ].join("\n"),
  options: {
    as: {
      type: "string",
      placeholder: "PROTOCOL",
      help: "Only the frames of this one: v1, chat, agentsmithy, unified",
    },
    ...JSON_OPTION,
    ...CLIENT_OPTIONS,
  },
  async run(invocation) {
    const { flags, positionals } = invocation;
    const seq = readSeq(positionals[1]);
    const session = await connectSession(invocation);
    const entry = withFrames(await session.xray(seq), flags);
    if (flags.on("json")) printJson(entry);
    else print(entryText(entry));
    return 0;
  },
};

function readSeq(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new UsageError(`SEQ is the number of an event, from 1 on, not "${text}".`);
}

function withFrames(entry: Xray, flags: Flags): Xray {
  const name = flags.text("as");
  if (name === undefined) return entry;
  const frames = entry.frames.filter(({ dialect }) => dialect === name);
  const names = entry.frames.map(({ dialect }) => dialect).join(", ");
  if (frames.length === 0) throw new UsageError(`--as: there is no protocol "${name}". Use one of ${names}.`);
  return { ...entry, frames };
}

const WAYS = { in: "from the agent", out: "to the agent", process: "process" };

function entryText({ seq, head, raw, rawLeftOut, events, frames, framesLeftOut }: Xray): string {
  const style = stylist(process.stdout);
  const lines = [style("bold", `Entry ${seq} of ${head}`)];
  const title = (text: string) => lines.push("", style("bold", text));
  if (raw.length > 0) title("Raw records");
  if (rawLeftOut) lines.push(`  ${rawLeftOut} earlier ones without an event are left out`);
  for (const { rawSeq, direction, data, unread = [], leftOut } of raw) {
    lines.push(`  ${style("cyan", `${rawSeq} ${WAYS[direction]}`)}`);
    lines.push(indented(typeof data === "string" ? data : JSON.stringify(data), leftOut));
    if (unread.length > 0) lines.push(`    unread: ${harmless(unread.join(", "))}`);
  }
  title("Events");
  for (const event of events) {
    lines.push(`  ${style("cyan", `${event.seq} ${event.type}`)}`, indented(JSON.stringify(event)));
  }
  for (const { dialect, description, frames: sent } of frames) {
    title(`Frames: ${dialect} (${description})`);
    if (sent.length === 0) lines.push("  none");
    for (const { text, leftOut } of sent) lines.push(indented(text.trimEnd(), leftOut));
  }
  if (framesLeftOut) lines.push("", "The turn is too long to show it as other protocols do.");
  return lines.join("\n");
}

function indented(text: string, leftOut = 0): string {
  const lines = text.split("\n").map((line) => `    ${harmless(line)}`);
  if (leftOut > 0) lines.push(`    … ${leftOut} characters are left out`);
  return lines.join("\n");
}
