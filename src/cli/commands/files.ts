/** `interlingua files SESSION [LETTERS]`: files of its directory that a prompt can name. */
import { CLIENT_OPTIONS, type CommandBody, JSON_OPTION } from "../command.ts";
import { print, printJson, printNote } from "../output.ts";
import { connectSession } from "../resolve-session.ts";

export const files: CommandBody = {
  positionals: ["SESSION", "[LETTERS]"],
  details: [
    "The likeliest come first: those with the letters in their name, in this order. A directory ends with a slash.",
    "In a git repository they are those that are tracked or not ignored.",
  ].join("\n"),
  options: { ...JSON_OPTION, ...CLIENT_OPTIONS },
  async run(invocation) {
    const { flags, positionals } = invocation;
    const session = await connectSession(invocation);
    const found = await session.findFiles(positionals[1]);
    if (flags.on("json")) printJson(found);
    else if (found.files.length === 0) printNote("No file has these letters.");
    else print(found.files.map(({ path, isDirectory }) => (isDirectory ? `${path}/` : path)).join("\n"));
    return 0;
  },
};
