/** `interlingua workspace size` and `workspace gc`: what checkpoints take on the disk. */
import { CLIENT_OPTIONS, type CommandBody, JSON_OPTION } from "../command.ts";
import { connectDaemon } from "../connect-daemon.ts";
import { formatBytes } from "../format-bytes.ts";
import { formatTable } from "../format-table.ts";
import { print, printJson, printNote, terminalWidth } from "../output.ts";

export const workspaceSize: CommandBody = {
  positionals: [],
  details: "For each directory that sessions have checkpoints of, the largest first.",
  options: { ...JSON_OPTION, ...CLIENT_OPTIONS },
  async run(invocation) {
    const client = await connectDaemon(invocation);
    const { bytes, workspaces } = await client.workspaces.usage();
    if (invocation.flags.on("json")) printJson({ bytes, workspaces });
    else if (workspaces.length === 0) printNote("There are no checkpoints.");
    else {
      const rows = workspaces.map((each) => [
        formatBytes(each.bytes),
        String(each.checkpoints ?? "?"),
        each.directory,
      ]);
      const total = workspaces.reduce((sum, { checkpoints = 0 }) => sum + checkpoints, 0);
      const last = workspaces.length > 1 ? [[formatBytes(bytes), String(total), "all"]] : [];
      print(formatTable(["SIZE", "CHECKPOINTS", "DIRECTORY"], [...rows, ...last], terminalWidth(), "wrap"));
    }
    return noteProblems(workspaces);
  },
};

export const workspaceGc: CommandBody = {
  positionals: [],
  details: [
    "The daemon does so by itself every hour, and after a session was deleted. What stays: the first, the latest",
    "and the last approved checkpoint of each session. A directory in which an agent begins or ends a turn just",
    "now is left for the next time.",
  ].join("\n"),
  options: { ...JSON_OPTION, ...CLIENT_OPTIONS },
  async run(invocation) {
    const client = await connectDaemon(invocation);
    const collected = await client.workspaces.collectGarbage();
    if (invocation.flags.on("json")) printJson(collected);
    else {
      const { dropped, freed, bytes } = collected;
      print(`Dropped ${dropped} checkpoints, freed ${formatBytes(freed)}; ${formatBytes(bytes)} are left.`);
    }
    return noteProblems(collected.failed ?? []);
  },
};

/** Gives the exit code: all others were done, but that is no success. */
function noteProblems(directories: readonly { directory: string; problem?: string }[]): number {
  const damaged = directories.filter(({ problem }) => problem !== undefined);
  for (const { directory, problem } of damaged) printNote(`the checkpoints of ${directory}: ${problem}`);
  return damaged.length > 0 ? 1 : 0;
}
