/** `interlingua sessions rename`, `pin`, `archive`, `close` and `interrupt`: what can be done to a session without a prompt. */
import { CLIENT_OPTIONS, type CommandBody, type Invocation, JSON_OPTION } from "../command.ts";
import { printJson, printNote } from "../output.ts";
import { connectSession } from "../resolve-session.ts";
import { UsageError } from "../usage-error.ts";

const OPTIONS = { ...JSON_OPTION, ...CLIENT_OPTIONS };

export const sessionsRename: CommandBody = {
  positionals: ["SESSION", "TITLE"],
  options: OPTIONS,
  async run(invocation) {
    const title = invocation.positionals[1]!.trim();
    if (title === "") throw new UsageError("sessions rename needs a TITLE, and this one is empty.");
    const session = await connectSession(invocation);
    return tell(invocation, await session.update({ title }), `${session.id} is renamed.`);
  },
};

export const sessionsPin = labelCommand("Lists of clients keep it on top.", { pinned: true }, "is pinned");
export const sessionsUnpin = labelCommand("", { pinned: false }, "is not pinned any more");
export const sessionsArchive = labelCommand(
  "It is left out of lists, and what it does goes on. `sessions --archived` lists it.",
  { archived: true },
  "is archived",
);
export const sessionsUnarchive = labelCommand("", { archived: false }, "is in the list again");

function labelCommand(
  details: string,
  change: { pinned?: boolean; archived?: boolean },
  done: string,
): CommandBody {
  return {
    positionals: ["SESSION"],
    ...(details !== "" && { details }),
    options: OPTIONS,
    async run(invocation) {
      const session = await connectSession(invocation);
      return tell(invocation, await session.update(change), `${session.id} ${done}.`);
    },
  };
}

export const sessionsClose: CommandBody = {
  positionals: ["SESSION"],
  details: "Its agent is ended and its log is kept; it takes no more prompts.",
  options: OPTIONS,
  async run(invocation) {
    const session = await connectSession(invocation);
    return tell(invocation, await session.close(), `${session.id} is closed.`);
  },
};

export const sessionsInterrupt: CommandBody = {
  positionals: ["SESSION"],
  details: "Prompts that wait run next, unless they are held. Exit code 0 also when no turn was running.",
  options: {
    hold: { type: "boolean", help: "Hold prompts that wait, until queue release or a new prompt" },
    ...OPTIONS,
  },
  async run(invocation) {
    const session = await connectSession(invocation);
    const answer = await session.interrupt(undefined, { hold: invocation.flags.on("hold") || undefined });
    const stopped = answer.interrupted ? `The turn of ${session.id} is stopped.` : "No turn was running.";
    const held = "What waits is held: queue release lets it run.";
    return tell(invocation, answer, answer.held ? `${stopped} ${held}` : stopped);
  },
};

function tell({ flags }: Invocation, answer: unknown, note: string): number {
  if (flags.on("json")) printJson(answer);
  else printNote(note);
  return 0;
}
