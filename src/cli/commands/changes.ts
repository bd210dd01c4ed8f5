/** `interlingua changes` and `interlingua diff`: what turns of a session changed. */
import type { FileChange } from "../../sdk/types.ts";
import {
  CLIENT_OPTIONS,
  type CommandBody,
  type CommandOptions,
  type Invocation,
  JSON_OPTION,
} from "../command.ts";
import { findCheckpoint } from "../find-checkpoint.ts";
import { print, printJson, printNote, terminalWidth } from "../output.ts";
import { connectSession } from "../resolve-session.ts";
import { changesTable, diffText } from "../show-changes.ts";
import { UsageError } from "../usage-error.ts";

const WHICH: CommandOptions = {
  turn: { type: "string", placeholder: "TURN", help: "Only what this turn changed" },
  since: {
    type: "string",
    placeholder: "CHECKPOINT",
    help: "Since this checkpoint; last: by the last prompt",
  },
};

const details = "Without --turn and --since: since the last approval, or since the session was made.";

export const changes = commandThatPrints((changed) => changesTable(changed, terminalWidth()));

export const diff = commandThatPrints((changed) => diffText(changed, process.stdout));

function commandThatPrints(toText: (changed: readonly FileChange[]) => string): CommandBody {
  return {
    positionals: ["SESSION"],
    details,
    options: { ...WHICH, ...JSON_OPTION, ...CLIENT_OPTIONS },
    async run(invocation) {
      const changed = await readChanges(invocation);
      if (invocation.flags.on("json")) printJson(changed);
      else if (changed.length > 0) print(toText(changed));
      else printNote("Nothing changed.");
      return 0;
    },
  };
}

async function readChanges(invocation: Invocation): Promise<FileChange[]> {
  const { flags } = invocation;
  const [turn, since] = [flags.text("turn"), flags.text("since")];
  if (turn !== undefined && since !== undefined)
    throw new UsageError("--turn and --since cannot be given together.");
  const session = await connectSession(invocation);
  return session.changes({ turn, since: since && (await findCheckpoint(session, since)) });
}
