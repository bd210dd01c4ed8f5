/** `interlingua checkpoints SESSION`: the files of a session as they were, to go back to. */
import type { Checkpoint } from "../../sdk/types.ts";
import { CLIENT_OPTIONS, type CommandBody, JSON_OPTION } from "../command.ts";
import { formatAge } from "../format-age.ts";
import { formatTable } from "../format-table.ts";
import { print, printJson, printNote, terminalWidth } from "../output.ts";
import { connectSession } from "../resolve-session.ts";

/** Enough of an id to tell checkpoints apart. */
const SHOWN_ID_LENGTH = 12;

export const checkpoints: CommandBody = {
  positionals: ["SESSION"],
  details: [
    "KIND says when: created with the session, before a prompt, after a turn or a restore, before a restore, approved.",
    'Go back with "interlingua restore SESSION CHECKPOINT".',
  ].join("\n"),
  options: { ...JSON_OPTION, ...CLIENT_OPTIONS },
  async run(invocation) {
    const session = await connectSession(invocation);
    const taken = await session.checkpoints();
    if (invocation.flags.on("json")) printJson(taken);
    else if (taken.length > 0) print(toTable(taken));
    else printNote("There are no checkpoints.");
    return 0;
  },
};

function toTable(taken: readonly Checkpoint[]): string {
  const now = Date.now();
  return formatTable(
    ["CHECKPOINT", "KIND", "AGE", "TURN", "MESSAGE"],
    taken.map(({ id, kind, at, turn, message }) => [
      id.slice(0, SHOWN_ID_LENGTH),
      kind,
      formatAge(at, now),
      turn ?? "",
      message ?? "",
    ]),
    terminalWidth(),
  );
}
