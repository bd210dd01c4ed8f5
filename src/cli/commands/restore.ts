/** `interlingua restore SESSION CHECKPOINT` and `reset SESSION`: undo what turns of a session changed. */
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { InterlinguaError } from "../../sdk/error.ts";
import type { Session } from "../../sdk/session.ts";
import type { Restored } from "../../sdk/types.ts";
import {
  CLIENT_OPTIONS,
  type CommandBody,
  type CommandOptions,
  type Flags,
  type Invocation,
  JSON_OPTION,
} from "../command.ts";
import { confirm } from "../confirm.ts";
import { daemonFlags } from "../daemon-flags.ts";
import { findCheckpoint } from "../find-checkpoint.ts";
import { printable } from "../format-table.ts";
import { print, printJson, printNote } from "../output.ts";
import { connectSession } from "../resolve-session.ts";
import { changesTable } from "../show-changes.ts";
import { UsageError } from "../usage-error.ts";

const ON_CONFLICT = ["refuse", "keep", "merge", "overwrite"] as const;
type OnConflict = (typeof ON_CONFLICT)[number];

const OPTIONS: CommandOptions = {
  preview: { type: "boolean", help: "Only say what would happen" },
  yes: { type: "boolean", help: "Do not ask first" },
  "on-conflict": {
    type: "string",
    placeholder: "HOW",
    values: ON_CONFLICT,
    help: "keep, merge or overwrite files that somebody else has changed since (refuse)",
  },
  path: { type: "string", multiple: true, placeholder: "PATH", help: "Only this file, or what is below it" },
  conversation: { type: "boolean", help: "Take the conversation back too" },
  ...JSON_OPTION,
  ...CLIENT_OPTIONS,
};

const HOW = [
  "File by file, and only where the file still is what the agent left. A checkpoint is taken first, so it can",
  "be undone. At a terminal it shows first what it will do, and asks. Exit code 1 when the answer is no.",
].join("\n");

export const restore: CommandBody = {
  positionals: ["SESSION", "[CHECKPOINT]"],
  details: [
    "CHECKPOINT is an id, the beginning of one, or last: before the last prompt.",
    HOW,
    'A backup is restored with "interlingua backup restore FILE".',
  ].join("\n"),
  options: OPTIONS,
  async run(invocation) {
    const given = invocation.positionals[1];
    if (given === undefined) throw missingCheckpoint(invocation);
    return await goBack(invocation, async (session) => {
      const checkpoint = await findCheckpoint(session, given);
      return (request) => session.restore({ ...request, checkpoint });
    });
  },
};

export const reset: CommandBody = {
  positionals: ["SESSION"],
  details: `Back to the last approval, or to where the session began.\n${HOW}`,
  options: OPTIONS,
  run: (invocation) => goBack(invocation, async (session) => (request) => session.reset(request)),
};

/** Somebody may mean a backup: it lies in the place of a session. */
function missingCheckpoint({ positionals, cwd }: Invocation): UsageError {
  const [given = ""] = positionals;
  const isFile = statSync(resolve(cwd, given), { throwIfNoEntry: false })?.isFile() === true;
  if (isFile)
    return new UsageError(
      `restore undoes what a session changed. For a backup: interlingua backup restore ${given}`,
    );
  return new UsageError(
    `restore needs a CHECKPOINT. Run "interlingua checkpoints ${given}", or say last: before the last prompt.`,
  );
}

type Request = NonNullable<Parameters<Session["reset"]>[0]>;
type GoBack = (request: Request) => Promise<Restored>;

async function goBack(
  invocation: Invocation,
  prepare: (session: Session) => Promise<GoBack>,
): Promise<number> {
  const { flags } = invocation;
  const wanted = requestOf(flags);
  const session = await connectSession(invocation);
  const call = await prepare(session);
  if (flags.on("preview")) {
    const preview = await call({ ...wanted, preview: true });
    if (flags.on("json")) printJson(preview);
    else showPlan(preview, print);
    return 0;
  }
  const isAsked = !flags.on("yes") && process.stdin.isTTY && process.stderr.isTTY;
  const preview = isAsked ? await call({ ...wanted, preview: true }) : undefined;
  if (preview) {
    showPlan(preview, printToTerminal);
    if (preview.conflicts) throw refusal(preview.conflicts, wanted);
    if (isNothing(preview)) return 0;
    if (!(await confirm("Go back?"))) {
      printNote("Nothing was changed.");
      return 1;
    }
  }
  const restored = await call({ ...wanted, expect: preview?.expect }).catch((error: unknown) => {
    const isConflict = !preview && InterlinguaError.is(error, "workspace_conflict");
    throw isConflict ? refusal(error.paths ?? [], wanted, error) : error;
  });
  if (flags.on("json")) printJson(restored);
  else showRestored(restored, session.id, daemonFlags(flags));
  return 0;
}

function requestOf(flags: Flags): Request {
  const onConflict = flags.text("on-conflict");
  if (onConflict !== undefined && !isOnConflict(onConflict))
    throw new UsageError(`--on-conflict is one of ${ON_CONFLICT.join(", ")}.`);
  return {
    onConflict,
    conversation: flags.on("conversation"),
    paths: flags.values.path as string[] | undefined,
  };
}

function isOnConflict(word: string): word is OnConflict {
  return (ON_CONFLICT as readonly string[]).includes(word);
}

const WHY: Readonly<Record<OnConflict, string>> = {
  refuse: "Somebody else has changed files since.",
  keep: "Somebody else has changed files since.",
  merge: "What the agent and somebody else changed overlaps in some files, so they cannot be merged.",
  overwrite: "Some files cannot go back: no checkpoint has them, or ignored ones are in their place.",
};
const REMEDY = "Nothing was restored; --on-conflict says what to do with them, --path takes others alone.";

function refusal(paths: readonly string[], { onConflict = "refuse" }: Request = {}, cause?: unknown): Error {
  return new Error(`${WHY[onConflict]} ${REMEDY} They are: ${named(paths)}`, { cause });
}

/** More of them can be seen with --preview. */
const MAX_NAMED = 10;

function named(paths: readonly string[]): string {
  const more = paths.length > MAX_NAMED ? ` and ${paths.length - MAX_NAMED} more` : "";
  return paths.slice(0, MAX_NAMED).map(printable).join(", ") + more;
}

function isNothing({ restored, rewound }: Restored): boolean {
  return restored.length === 0 && rewound === undefined;
}

function printToTerminal(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** What a restore would do to the files. */
function showPlan(plan: Restored, write: (text: string) => void): void {
  const { changes, kept = [], conflicts = [], rewound } = plan;
  if (changes.length > 0) write(changesTable(changes, process.stderr.columns));
  for (const path of kept) write(`kept, changed by somebody else: ${printable(path)}`);
  for (const path of conflicts) write(`changed by somebody else: ${printable(path)}`);
  if (plan.restored.length === 0) printNote("No file goes back.");
  if (rewound !== undefined) printNote(`The conversation goes back to before ${rewound}.`);
}

function showRestored(
  { restored, kept = [], checkpoint, rewound }: Restored,
  session: string,
  there: string,
): void {
  for (const path of restored) print(`restored  ${printable(path)}`);
  for (const path of kept) print(`kept  ${printable(path)}`);
  if (restored.length === 0) printNote("No file went back.");
  if (rewound !== undefined) printNote(`The conversation went back to before ${rewound}.`);
  if (restored.length > 0 && checkpoint !== undefined)
    printNote(`To undo this: interlingua restore${there} ${session} ${checkpoint.slice(0, 12)}`);
}
