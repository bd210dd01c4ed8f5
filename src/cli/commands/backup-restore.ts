/** `interlingua backup restore FILE`: replaces the content of a data directory by a backup. */
import { resolve } from "node:path";
import { readDaemonId } from "../../config/daemon-id.ts";
import { isDaemonRunning } from "../../process/daemon-running.ts";
import { CLIENT_OPTIONS, type CommandBody, JSON_OPTION } from "../command.ts";
import { CopyProgressLine } from "../copy-progress.ts";
import { dataDirectoryOf } from "../data-directory-of.ts";
import { print, printJson, printNote } from "../output.ts";
import { assertInFile } from "../stored-at.ts";

export const backupRestore: CommandBody = {
  positionals: ["FILE"],
  details:
    "No daemon may run on the data directory. The backup is read first; when it is damaged nothing changes.\n" +
    "With --force the sessions that are there stay beside it, as interlingua.db.before-restore-TIME.",
  options: {
    force: { type: "boolean", help: "Also where sessions are; they are kept under another name" },
    ...JSON_OPTION,
    data: { ...CLIENT_OPTIONS.data!, help: "Data directory to restore into" },
  },
  async run(invocation) {
    const { flags, positionals, cwd } = invocation;
    await assertInFile(invocation, "Restore it with the means of PostgreSQL, such as pg_restore.");
    const directory = await dataDirectoryOf(invocation);
    const file = resolve(cwd, positionals[0]!);
    // Loads SQLite only when needed.
    const { restoreBackup } = await import("../../store/restore.ts");
    const { backedUpCheckpoints, importCheckpoints } = await import("../backup-checkpoints.ts");
    let checkpoints: Awaited<ReturnType<typeof importCheckpoints>> | undefined;
    const line = new CopyProgressLine();
    const result = await restoreBackup({
      directory,
      file,
      replace: flags.on("force"),
      isOwnerRunning: (named) => isDaemonRunning(named, readDaemonId(directory)),
      onProgress: (copied, total) => line.copied(copied, total),
      onCheck: () => line.checking(),
      beforeReplace: async () => {
        checkpoints = await importCheckpoints(backedUpCheckpoints(file), directory);
      },
    }).finally(() => line.end());
    const { sessions, events, kept } = result;
    const taken = checkpoints?.checkpoints ?? 0;
    for (const missing of checkpoints?.missing ?? [])
      printNote(`${missing} is not there, so its checkpoints were left out.`);
    if (flags.on("json")) printJson({ data: directory, ...result, checkpoints: taken });
    else {
      print(
        `${directory} holds ${file} now (sessions: ${sessions}, events: ${events}, checkpoints: ${taken})`,
      );
      if (kept) print(`What was there before is ${kept}`);
    }
    return 0;
  },
};
