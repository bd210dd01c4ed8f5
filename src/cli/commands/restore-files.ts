/** `interlingua restore SESSION CHECKPOINT`: undoes what turns of a session changed. */
import { InterlinguaError } from "../../sdk/error.ts";
import type { Restored } from "../../sdk/types.ts";
import type { CommandOptions, Invocation } from "../command.ts";
import { findCheckpoint } from "../find-checkpoint.ts";
import { printable } from "../format-table.ts";
import { print, printJson, printNote } from "../output.ts";
import { connectSession } from "../resolve-session.ts";
import { UsageError } from "../usage-error.ts";

const ON_CONFLICT = ["refuse", "keep", "merge", "overwrite"] as const;
type OnConflict = (typeof ON_CONFLICT)[number];

export const RESTORE_FILES_OPTIONS: CommandOptions = {
  preview: { type: "boolean", help: "Only say what would happen" },
  "on-conflict": {
    type: "string",
    placeholder: ON_CONFLICT.join("|"),
    values: ON_CONFLICT,
    help: "For files that somebody else has changed since (refuse)",
  },
  path: { type: "string", multiple: true, placeholder: "PATH", help: "Only this file, or what is below it" },
  conversation: { type: "boolean", help: "Take the conversation back too" },
};

export async function restoreFiles(invocation: Invocation): Promise<number> {
  const { flags, positionals } = invocation;
  const onConflict = flags.text("on-conflict");
  if (onConflict !== undefined && !isOnConflict(onConflict))
    throw new UsageError(`--on-conflict is one of ${ON_CONFLICT.join(", ")}.`);
  const session = await connectSession(invocation);
  const preview = flags.on("preview");
  const request = {
    checkpoint: await findCheckpoint(session, positionals[1]!),
    onConflict,
    preview,
    conversation: flags.on("conversation"),
    paths: flags.values.path as string[] | undefined,
  };
  const restored = await session.restore(request).catch(explainConflict);
  if (flags.on("json")) printJson(restored);
  else printRestored(restored, preview);
  return 0;
}

function explainConflict(error: unknown): never {
  if (!InterlinguaError.is(error, "workspace_conflict")) throw error;
  const paths = (error.paths ?? []).map(printable).join(", ");
  throw new Error(
    `Somebody else has changed ${paths} since. Nothing was restored; --on-conflict says what to do.`,
    {
      cause: error,
    },
  );
}

function isOnConflict(word: string): word is OnConflict {
  return (ON_CONFLICT as readonly string[]).includes(word);
}

function printRestored({ restored, kept, conflicts, checkpoint, rewound }: Restored, preview: boolean): void {
  for (const path of restored) print(`${preview ? "would restore" : "restored"}  ${printable(path)}`);
  for (const path of kept ?? []) print(`${preview ? "would keep" : "kept"}  ${printable(path)}`);
  for (const path of conflicts ?? []) print(`changed by somebody else  ${printable(path)}`);
  if (restored.length === 0) printNote("No file goes back.");
  if (rewound !== undefined)
    printNote(`The conversation ${preview ? "would go" : "went"} back to before ${rewound}.`);
  if (!preview && checkpoint !== undefined) printNote(`To undo this, restore ${checkpoint.slice(0, 12)}.`);
}
