/** `interlingua backup FILE`: copies everything stored into one file, also while the daemon works. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { CLIENT_OPTIONS, type CommandBody, JSON_OPTION } from "../command.ts";
import { CopyProgressLine } from "../copy-progress.ts";
import { dataDirectoryOf } from "../data-directory-of.ts";
import { formatBytes } from "../format-bytes.ts";
import { explainDatabaseError } from "../open-data.ts";
import { print, printJson } from "../output.ts";
import { assertInFile } from "../stored-at.ts";

export const backup: CommandBody = {
  positionals: ["FILE"],
  details:
    "The copy is of one moment: everything that was acknowledged before is in it. It is read once, and only\n" +
    "put in place when it is whole. Exit code 0 then, else 1. Checkpoints of files are in\n" +
    "FILE.checkpoints beside it. interlingua backup restore takes both back.",
  options: {
    force: { type: "boolean", help: "Replace FILE when it exists" },
    ...JSON_OPTION,
    data: { ...CLIENT_OPTIONS.data!, help: "Data directory to copy" },
  },
  async run(invocation) {
    const { flags, positionals, cwd } = invocation;
    await assertInFile(invocation, "Back it up with the means of PostgreSQL, such as pg_dump.");
    const directory = await dataDirectoryOf(invocation);
    const file = resolve(cwd, positionals[0]!);
    // Loads SQLite only when needed.
    const { backUp } = await import("../../store/backup.ts");
    const { backedUpCheckpoints, exportCheckpoints } = await import("../backup-checkpoints.ts");
    const beside = backedUpCheckpoints(file);
    if (existsSync(beside) && !flags.on("force"))
      throw new Error(`${beside} exists. Give another name, or replace it with --force.`);
    const line = new CopyProgressLine();
    const result = await backUp({
      directory,
      file,
      replace: flags.on("force"),
      onProgress: (copied, total) => line.copied(copied, total),
      onCheck: () => line.checking(),
    })
      .catch((error: unknown) => {
        throw explainDatabaseError(error, directory);
      })
      .finally(() => line.end());
    const { bytes, sessions, events } = result;
    // After the sessions: whatever these name is there then.
    const { checkpoints } = await exportCheckpoints(directory, beside).catch((error: Error) => {
      throw new Error(`${file} is whole, but checkpoints could not be copied: ${error.message}`, {
        cause: error,
      });
    });
    if (flags.on("json")) printJson({ file, ...result, checkpoints });
    else
      print(
        `${file} is whole (sessions: ${sessions}, events: ${events}, checkpoints: ${checkpoints}, ${formatBytes(bytes)})`,
      );
    return 0;
  },
};
