/** `interlingua directories [PATH] [--search NAME]`: where sessions can work. */
import { resolve } from "node:path";
import { CLIENT_OPTIONS, type CommandBody, JSON_OPTION } from "../command.ts";
import { connectDaemon } from "../connect-daemon.ts";
import { print, printJson, printNote } from "../output.ts";

export const directories: CommandBody = {
  positionals: ["[PATH]"],
  details: [
    "Without PATH these are the directories that the daemon was started with, and sessions work inside of. One that",
    "is a git repository has a star: a session can have a worktree of it.",
  ].join("\n"),
  options: {
    search: {
      type: "string",
      placeholder: "NAME",
      help: "Those with this in their names, also further below",
    },
    ...JSON_OPTION,
    ...CLIENT_OPTIONS,
  },
  async run(invocation) {
    const { flags, positionals, cwd } = invocation;
    const [path] = positionals;
    const client = await connectDaemon(invocation);
    const search = flags.text("search");
    const list = await client.directories({
      ...(path !== undefined && { path: resolve(cwd, path) }),
      ...(search !== undefined && { search }),
    });
    if (flags.on("json")) printJson(list);
    else if (list.directories.length === 0)
      printNote(search === undefined ? "There are no directories in it." : "No directory is called so.");
    else print(list.directories.map((found) => `${found.path}${found.isRepository ? " *" : ""}`).join("\n"));
    if (list.isTruncated) printNote("There are more than these.");
    return 0;
  },
};
