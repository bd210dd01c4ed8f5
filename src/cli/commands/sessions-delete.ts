/** `interlingua sessions delete SESSION`: removes a session and everything stored of it. */
import { CLIENT_OPTIONS, type CommandBody, JSON_OPTION } from "../command.ts";
import { confirm } from "../confirm.ts";
import { printable } from "../format-table.ts";
import { printJson, printNote } from "../output.ts";
import { connectSession } from "../resolve-session.ts";
import { UsageError } from "../usage-error.ts";

export const sessionsDelete: CommandBody = {
  positionals: ["SESSION"],
  details: "Ends its agent and removes its log; nothing brings it back. Exit code 1 when the answer is no.",
  options: {
    yes: { type: "boolean", help: "Do not ask; SESSION has to be the whole id then" },
    ...JSON_OPTION,
    ...CLIENT_OPTIONS,
  },
  async run(invocation) {
    const { flags, positionals } = invocation;
    const given = positionals[0]!;
    const session = await connectSession(invocation);
    const { id } = session;
    if (flags.on("yes")) {
      if (id !== given) throw new UsageError(`--yes needs the whole id: ${id}.`);
    } else {
      const { title, head } = await session.details();
      const name = title === undefined ? id : `${id}, "${printable(title)}",`;
      if (!(await confirm(`Delete ${name} with its ${head} events?`))) {
        printNote("Nothing was deleted.");
        return 1;
      }
    }
    await session.delete();
    if (flags.on("json")) printJson({ id, deleted: true });
    else printNote(`${id} is deleted.`);
    return 0;
  },
};
