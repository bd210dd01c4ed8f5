/** `interlingua fork SESSION`: makes a new session that begins with a copy of a conversation. */
import { resolve } from "node:path";
import { CLIENT_OPTIONS, type CommandBody, JSON_OPTION } from "../command.ts";
import { print, printJson } from "../output.ts";
import { connectSession } from "../resolve-session.ts";

export const fork: CommandBody = {
  positionals: ["SESSION"],
  details: [
    "The session stays as it is. The new one's agent remembers what was kept.",
    "Prints the id of the new session.",
  ].join("\n"),
  options: {
    before: {
      type: "string",
      placeholder: "MESSAGE",
      help: "Leave out this message of yours, and all after it",
    },
    cwd: { type: "string", placeholder: "DIR", help: "Where the new session works (where the other does)" },
    worktree: { type: "boolean", help: "Make a git worktree for it, on a branch of its own" },
    ...JSON_OPTION,
    ...CLIENT_OPTIONS,
  },
  async run(invocation) {
    const { flags } = invocation;
    const session = await connectSession(invocation);
    const cwd = flags.text("cwd");
    const made = await session.fork({
      before: flags.text("before"),
      ...(cwd !== undefined && { cwd: resolve(invocation.cwd, cwd) }),
      ...(flags.on("worktree") && { worktree: true }),
    });
    if (flags.on("json")) printJson(await made.details());
    else print(made.id);
    return 0;
  },
};
