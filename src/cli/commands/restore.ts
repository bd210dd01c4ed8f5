/**
 * `interlingua restore FILE` replaces the content of a data directory by a backup; `restore SESSION CHECKPOINT` undoes what
 * turns of a session changed (restore-files.ts).
 */
import { resolve } from "node:path";
import { readDaemonId } from "../../config/daemon-id.ts";
import { isDaemonRunning } from "../../process/daemon-running.ts";
import { CLIENT_OPTIONS, type CommandBody, JSON_OPTION } from "../command.ts";
import { CopyProgressLine } from "../copy-progress.ts";
import { dataDirectoryOf } from "../data-directory-of.ts";
import { print, printJson } from "../output.ts";
import { RESTORE_FILES_OPTIONS, restoreFiles } from "./restore-files.ts";

export const restore: CommandBody = {
  positionals: ["FILE|SESSION", "[CHECKPOINT]"],
  details:
    "With a SESSION and a CHECKPOINT: what turns of the session changed since then is undone, file by file, and only where\n" +
    "the file still is what the agent left. CHECKPOINT is an id, the beginning of one, or last: before the last prompt.\n\n" +
    "With a FILE, a backup: no daemon may run on the data directory. The backup is read first; when it is damaged nothing changes.\n" +
    "With --force the sessions that are there stay beside it, as interlingua.db.before-restore-TIME.",
  options: {
    force: { type: "boolean", help: "Also where sessions are; they are kept under another name" },
    ...RESTORE_FILES_OPTIONS,
    ...JSON_OPTION,
    data: { ...CLIENT_OPTIONS.data!, help: "Data directory to restore into, or of the daemon to talk to" },
    url: CLIENT_OPTIONS.url!,
  },
  async run(invocation) {
    const { flags, positionals, cwd } = invocation;
    if (positionals.length === 2) return restoreFiles(invocation);
    const directory = await dataDirectoryOf(invocation);
    const file = resolve(cwd, positionals[0]!);
    // Loads SQLite only when needed.
    const { restoreBackup } = await import("../../store/restore.ts");
    const line = new CopyProgressLine();
    const result = await restoreBackup({
      directory,
      file,
      replace: flags.on("force"),
      isOwnerRunning: (named) => isDaemonRunning(named, readDaemonId(directory)),
      onProgress: (copied, total) => line.copied(copied, total),
      onCheck: () => line.checking(),
    }).finally(() => line.end());
    const { sessions, events, kept } = result;
    if (flags.on("json")) printJson({ data: directory, ...result });
    else {
      print(`${directory} holds ${file} now (sessions: ${sessions}, events: ${events})`);
      if (kept) print(`What was there before is ${kept}`);
    }
    return 0;
  },
};
