/** `interlingua approve SESSION`: accepts what turns of a session changed. */
import { CLIENT_OPTIONS, type CommandBody, JSON_OPTION } from "../command.ts";
import { printJson, printNote } from "../output.ts";
import { connectSession } from "../resolve-session.ts";

export const approve: CommandBody = {
  positionals: ["SESSION"],
  details: '"interlingua changes" begins here from now on, and "interlingua reset" goes back to here.',
  options: { ...JSON_OPTION, ...CLIENT_OPTIONS },
  async run(invocation) {
    const session = await connectSession(invocation);
    const approved = await session.approve();
    if (invocation.flags.on("json")) printJson(approved);
    else printNote(`Approved. Files that had changed: ${approved.changes}.`);
    return 0;
  },
};
