/** `interlingua tasks` and `tasks stop`: what an agent does in the background. */
import type { Task } from "../../sdk/types.ts";
import { CLIENT_OPTIONS, type CommandBody, JSON_OPTION } from "../command.ts";
import { formatAge } from "../format-age.ts";
import { formatTable } from "../format-table.ts";
import { print, printJson, printNote, terminalWidth } from "../output.ts";
import { connectSession } from "../resolve-session.ts";

export const tasks: CommandBody = {
  positionals: ["SESSION"],
  details: "Those that run come first, then the last that ended.",
  options: { ...JSON_OPTION, ...CLIENT_OPTIONS },
  async run(invocation) {
    const session = await connectSession(invocation);
    const all = await session.tasks();
    if (invocation.flags.on("json")) printJson(all);
    else if (all.length > 0) print(toTable(all));
    else printNote("The agent does nothing in the background.");
    return 0;
  },
};

export const tasksStop: CommandBody = {
  positionals: ["SESSION", "TASK"],
  details: "The agent is told to end it. Exit code 0 also when it has ended before.",
  options: { ...JSON_OPTION, ...CLIENT_OPTIONS },
  async run(invocation) {
    const session = await connectSession(invocation);
    const task = await session.stopTask(invocation.positionals[1] ?? "");
    if (invocation.flags.on("json")) printJson(task);
    else printNote(task.endedAt === undefined ? "The agent is told to end it." : "It has ended already.");
    return 0;
  },
};

function toTable(all: readonly Task[]): string {
  const now = Date.now();
  return formatTable(
    ["TASK", "STATE", "AGE", "TITLE", "SAYS"],
    all.map(({ task, state, startedAt, title, status, summary }) => [
      task,
      state,
      startedAt === undefined ? "" : formatAge(startedAt, now),
      title,
      summary ?? status ?? "",
    ]),
    terminalWidth(),
  );
}
