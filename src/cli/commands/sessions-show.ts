/** `interlingua sessions show SESSION`: everything that is known of one session. */
import { hasPlayMoney } from "../../agents/play-money.ts";
import type { SessionView } from "../../protocol/commands/command-types.ts";
import type { SessionDetails } from "../../sdk/types.ts";
import { type CommandBody, JSON_OPTION, READER_OPTIONS } from "../command.ts";
import { formatAge } from "../format-age.ts";
import { formatCost } from "../format-cost.ts";
import { printable } from "../format-table.ts";
import { openReader } from "../open-reader.ts";
import { print, printJson } from "../output.ts";
import { resolveSession } from "../resolve-session.ts";

export const sessionsShow: CommandBody = {
  positionals: ["SESSION"],
  details: [
    "SESSION is an id, or the beginning of one that no other session has.",
    "Where no daemon runs, what the last one wrote is read.",
  ].join("\n"),
  options: { ...JSON_OPTION, ...READER_OPTIONS },
  async run(invocation) {
    const reader = await openReader(invocation);
    try {
      const session = await reader.session(await resolveSession(reader, invocation.positionals[0]!));
      if (invocation.flags.on("json")) printJson(session);
      else print(toLines(session));
      return 0;
    } finally {
      await reader.close();
    }
  },
};

/** A daemon knows more than the data directory tells. */
type Known = SessionView & Partial<SessionDetails>;

function toLines(session: Known): string {
  const { agent, agentVersion, models = [], modes = [] } = session;
  const rows: [string, string | undefined][] = [
    ["Id", session.id],
    ["Title", session.title],
    ["Agent", agentVersion === undefined ? agent : `${agent} ${agentVersion}`],
    ["Status", session.attached ? `${session.status}, its agent runs` : session.status],
    ["Cut off", session.cutOffAt === undefined ? undefined : `by a restart, ${momentOf(session.cutOffAt)}`],
    ["Directory", session.cwd],
    ["Node", nodeOf(session)],
    ["Copied from", session.forkedFrom?.session],
    ["Model", withOthers(session.model, models)],
    ["Mode", withOthers(session.mode, modes)],
    ["Permissions", session.permissionMode],
    ["Events", String(session.head)],
    ["Open asks", String(session.openAsks)],
    ["Waiting prompts", String(session.queued)],
    ["Held", session.queueHeld && `since ${momentOf(session.queueHeld.at)}: \`queue release\` lets them run`],
    [
      "Cost",
      session.cost === undefined
        ? undefined
        : `${formatCost(session.cost)}${hasPlayMoney(agent) ? ", play money" : ""}`,
    ],
    ["Pinned", session.pinned && "yes"],
    ["Archived", session.archived && "yes"],
    ["Agent's own id", session.agentSessionId],
    ["Created", momentOf(session.createdAt)],
    ["Changed", momentOf(session.updatedAt)],
  ];
  const known = rows.filter(([, value]) => value !== undefined) as [string, string][];
  const width = Math.max(...known.map(([name]) => name.length));
  return known.map(([name, value]) => `${name.padEnd(width)}  ${printable(value)}`).join("\n");
}

function nodeOf({ node, nodeNumber }: Known): string | undefined {
  return node === undefined || nodeNumber === undefined ? node : `${node} (number ${nodeNumber})`;
}

function withOthers(current: string | undefined, choices: readonly { id: string }[]): string | undefined {
  const others = choices.map(({ id }) => id).filter((id) => id !== current);
  if (others.length === 0) return current;
  return `${current ?? "the agent's own"} (or ${others.join(", ")})`;
}

function momentOf(at: number): string {
  return `${new Date(at).toISOString()} (${formatAge(at, Date.now())} ago)`;
}
