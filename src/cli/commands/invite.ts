/** `interlingua invite`: a link to one session for somebody else. */
import { CLIENT_OPTIONS, type CommandBody, JSON_OPTION } from "../command.ts";
import { print, printJson, printNote } from "../output.ts";
import { readDuration } from "../read-duration.ts";
import { connectSession } from "../resolve-session.ts";
import { UsageError } from "../usage-error.ts";

const INVITED_ROLES = ["observer", "participant"] as const;

export const invite: CommandBody = {
  positionals: ["SESSION"],
  details: [
    "Prints a link. Whoever opens it first is in, for this one session and for a day. interlingua token list",
    "shows who came, and token revoke ends it.",
  ].join("\n"),
  options: {
    role: {
      type: "string",
      placeholder: "ROLE",
      values: INVITED_ROLES,
      help: `One of ${INVITED_ROLES.join(", ")} (participant)`,
    },
    name: { type: "string", placeholder: "NAME", help: "Who is invited; they choose a name when not given" },
    expires: {
      type: "string",
      placeholder: "DURATION",
      help: "How long the link can be used, up to 1d (1d)",
    },
    ...JSON_OPTION,
    ...CLIENT_OPTIONS,
  },
  async run(invocation) {
    const { flags } = invocation;
    const role = INVITED_ROLES.find((known) => known === (flags.text("role") ?? "participant"));
    if (!role)
      throw new UsageError(
        `--role: there is no "${flags.text("role")}" for guests. Use one of ${INVITED_ROLES.join(", ")}.`,
      );
    const expiresInMs = readDuration(flags, "expires");
    const session = await connectSession(invocation);
    const invitation = await session.invite({ role, name: flags.text("name"), expiresInMs });
    if (flags.on("json")) {
      printJson(invitation);
      return 0;
    }
    print(invitation.link);
    if (!invitation.reachable) printNote("This link works on this machine only.");
    for (const sentence of invitation.missing ?? []) printNote(sentence);
    return 0;
  },
};
