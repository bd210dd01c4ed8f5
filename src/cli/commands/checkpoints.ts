/** `interlingua checkpoints SESSION`: the files of a session as they were, to go back to. */
import type { Session } from "../../sdk/session.ts";
import type { Checkpoint } from "../../sdk/types.ts";
import { CLIENT_OPTIONS, type CommandBody, JSON_OPTION } from "../command.ts";
import { formatAge } from "../format-age.ts";
import { formatTable } from "../format-table.ts";
import { print, printJson, printNote, terminalWidth } from "../output.ts";
import { connectSession } from "../resolve-session.ts";

/** Enough of an id to tell checkpoints apart. */
const SHOWN_ID_LENGTH = 12;
/** Of older ones only the id of the prompt is shown. */
const MAX_PROMPTS = 100;

export const checkpoints: CommandBody = {
  positionals: ["SESSION"],
  details: [
    "KIND says when: created with the session, before a prompt, after a turn or a restore, restore: before one,",
    "approved. One that is dropped was too old, there were too many, or they were deleted: nothing can go back",
    "to it any more. One that is elsewhere is kept by another node than the one that has the session.",
    'Go back with "interlingua restore SESSION CHECKPOINT".',
  ].join("\n"),
  options: { ...JSON_OPTION, ...CLIENT_OPTIONS },
  async run(invocation) {
    const session = await connectSession(invocation);
    const taken = await session.checkpoints();
    if (invocation.flags.on("json")) printJson(taken);
    else if (taken.length > 0) print(toTable(taken, await promptsOf(session)));
    else printNote("There are no checkpoints.");
    return 0;
  },
};

/** What the newest prompts say, by message. */
async function promptsOf(session: Session): Promise<ReadonlyMap<string, string>> {
  const { messages } = await session.messages({ limit: MAX_PROMPTS });
  return new Map(
    messages.map(({ id, content }) => [
      id,
      content.flatMap((part) => (part.type === "text" ? part.text : [])).join(" "),
    ]),
  );
}

function toTable(taken: readonly Checkpoint[], prompts: ReadonlyMap<string, string>): string {
  const now = Date.now();
  return formatTable(
    ["CHECKPOINT", "KIND", "AGE", "TURN", "PROMPT"],
    taken.map(({ id, kind, at, turn, message, dropped, elsewhere }) => [
      id.slice(0, SHOWN_ID_LENGTH),
      dropped ? `${kind}, dropped` : elsewhere ? `${kind}, elsewhere` : kind,
      formatAge(at, now),
      turn ?? "",
      message === undefined ? "" : (prompts.get(message) ?? message),
    ]),
    terminalWidth(),
  );
}
