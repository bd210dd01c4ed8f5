/** `interlingua queue`, and what can be done to prompts that wait for the turn before them. */
import type { PromptPart } from "../../core/prompt-part.ts";
import type { QueuedView } from "../../protocol/commands/command-types.ts";
import { CLIENT_OPTIONS, type CommandBody, JSON_OPTION, READER_OPTIONS } from "../command.ts";
import { formatAge } from "../format-age.ts";
import { formatTable } from "../format-table.ts";
import { openReader } from "../open-reader.ts";
import { print, printJson, printNote, terminalWidth } from "../output.ts";
import { connectSession, resolveSession } from "../resolve-session.ts";
import { UsageError } from "../usage-error.ts";

export const queue: CommandBody = {
  positionals: ["SESSION"],
  details: "Where no daemon runs, what the last one wrote is read; changing it needs a daemon.",
  options: { ...JSON_OPTION, ...READER_OPTIONS },
  async run(invocation) {
    const reader = await openReader(invocation);
    try {
      const waiting = await reader.queue(await resolveSession(reader, invocation.positionals[0]!));
      if (invocation.flags.on("json")) printJson(waiting);
      else if (waiting.length > 0) print(toTable(waiting));
      else printNote("No prompt waits.");
      if (!invocation.flags.on("json"))
        for (const { message, held, reason } of waiting)
          if (held)
            printNote(
              `${message} is held. ${reason ?? ""} Run queue send or queue release to try it again, or queue remove.`,
            );
      return 0;
    } finally {
      await reader.close();
    }
  },
};

export const queueEdit: CommandBody = {
  positionals: ["SESSION", "MESSAGE", "TEXT"],
  details: "Takes the place of everything the prompt said, its files too.",
  options: { ...JSON_OPTION, ...CLIENT_OPTIONS },
  async run(invocation) {
    const [, message = "", text = ""] = invocation.positionals;
    if (text.trim() === "")
      throw new UsageError("queue edit needs a TEXT, and this one is empty. Use queue remove instead.");
    const session = await connectSession(invocation);
    const changed = await session.changeQueued(message, text);
    if (invocation.flags.on("json")) printJson(changed);
    else printNote("Changed.");
    return 0;
  },
};

export const queueMove: CommandBody = {
  positionals: ["SESSION", "MESSAGE", "[BEFORE]"],
  details: "Puts it before the waiting prompt BEFORE, and without one behind all.",
  options: { ...JSON_OPTION, ...CLIENT_OPTIONS },
  async run(invocation) {
    const [, message = "", before = null] = invocation.positionals;
    const session = await connectSession(invocation);
    const moved = await session.moveQueued(message, before);
    if (invocation.flags.on("json")) printJson(moved);
    else printNote(before === null ? "Moved: it runs last." : `Moved: it runs before ${before}.`);
    return 0;
  },
};

export const queueSend: CommandBody = {
  positionals: ["SESSION", "MESSAGE"],
  details:
    "The running turn gets it where the agent can take it. Else the turn is stopped, and this prompt runs next.",
  options: { ...JSON_OPTION, ...CLIENT_OPTIONS },
  async run(invocation) {
    const [, message = ""] = invocation.positionals;
    const session = await connectSession(invocation);
    const sent = await session.sendQueued(message);
    if (invocation.flags.on("json")) printJson(sent);
    else printNote(sent.state === "steered" ? "The running turn has it." : "It runs next.");
    return 0;
  },
};

export const queueRemove: CommandBody = {
  positionals: ["SESSION", "MESSAGE"],
  options: { ...JSON_OPTION, ...CLIENT_OPTIONS },
  async run(invocation) {
    const [, message = ""] = invocation.positionals;
    const session = await connectSession(invocation);
    await session.withdrawQueued(message);
    if (invocation.flags.on("json")) printJson({ message, removed: true });
    else printNote("Removed. It will not run.");
    return 0;
  },
};

export const queueRelease: CommandBody = {
  positionals: ["SESSION"],
  details: "For prompts that sessions interrupt --hold, a chat, the page or the daemon held.",
  options: { ...JSON_OPTION, ...CLIENT_OPTIONS },
  async run(invocation) {
    const session = await connectSession(invocation);
    const answer = await session.releaseQueue();
    if (invocation.flags.on("json")) printJson(answer);
    else printNote(answer.released ? "What waits goes on." : "Nothing was held.");
    return 0;
  },
};

function toTable(waiting: readonly QueuedView[]): string {
  const now = Date.now();
  return formatTable(
    ["MESSAGE", "AGE", "SAYS"],
    waiting.map(({ message, at, parts, held }) => [
      message,
      formatAge(at, now),
      [...(held ? ["(held)"] : []), ...parts.map(toText)].join(" "),
    ]),
    terminalWidth(),
  );
}

function toText(part: PromptPart): string {
  return part.type === "text" ? part.text : `[${part.type}]`;
}
