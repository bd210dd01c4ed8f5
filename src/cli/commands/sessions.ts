/** `interlingua sessions`: which sessions there are, the newest first. */
import { nodeLabels } from "../../core/node-labels.ts";
import { SESSION_STATUSES, type SessionStatus } from "../../core/session-status.ts";
import type { SessionView } from "../../sdk/types.ts";
import { assertAgentFlag } from "../agent-names.ts";
import { type CommandBody, JSON_OPTION, READER_OPTIONS } from "../command.ts";
import { formatAge } from "../format-age.ts";
import { formatTable } from "../format-table.ts";
import { openReader } from "../open-reader.ts";
import { print, printJson, printNote, terminalWidth } from "../output.ts";
import type { Reader } from "../reader.ts";
import { sessionLabel } from "../session-label.ts";
import { UsageError } from "../usage-error.ts";

const SESSIONS_PER_PAGE = 100;

export const sessions: CommandBody = {
  positionals: [],
  details: "Where no daemon runs, what the last one wrote is read.",
  options: {
    ...JSON_OPTION,
    agent: { type: "string", placeholder: "NAME", help: "Only those of this agent" },
    status: {
      type: "string",
      placeholder: "STATUS",
      values: SESSION_STATUSES,
      help: `Only those: ${SESSION_STATUSES.join(", ")}`,
    },
    search: { type: "string", placeholder: "WORDS", help: "Only those with these words in title or prompts" },
    archived: { type: "boolean", help: "Only those that are archived; else they are left out" },
    limit: { type: "string", placeholder: "NUMBER", help: "At most so many (20)" },
    ...READER_OPTIONS,
  },
  async run(invocation) {
    const { flags } = invocation;
    const limit = readLimit(flags.text("limit") ?? "20");
    const status = readStatus(flags.text("status"));
    const query = {
      agent: flags.text("agent"),
      status,
      search: flags.text("search"),
      archived: flags.on("archived"),
      limit: Math.min(limit + 1, SESSIONS_PER_PAGE),
    };
    const reader = await openReader(invocation);
    try {
      const { found, hasMore } = await list(reader, query, limit);
      if (found.length === 0) await assertAgentFlag(invocation);
      if (flags.on("json")) printJson(found);
      else if (found.length > 0) print(await toTable(reader, found));
      else printNote("No sessions found.");
      if (hasMore && !flags.on("json"))
        printNote(`There are more than these ${limit}: --limit NUMBER shows more.`);
    } finally {
      await reader.close();
    }
    return 0;
  },
};

async function list(
  reader: Reader,
  query: Parameters<Reader["listSessions"]>[0],
  most: number,
): Promise<{ found: SessionView[]; hasMore: boolean }> {
  const found: SessionView[] = [];
  for await (const session of reader.listSessions(query)) {
    if (found.length === most) return { found, hasMore: true };
    found.push(session);
  }
  return { found, hasMore: false };
}

async function toTable(reader: Reader, found: readonly SessionView[]): Promise<string> {
  const now = Date.now();
  const labels = await Promise.all(found.map((session) => sessionLabel(reader, session)));
  const nodeOf = nodeLabels(found);
  const hasSeveralNodes = new Set(found.map(nodeOf).filter((node) => node !== undefined)).size > 1;
  return formatTable(
    ["ID", "AGENT", "STATUS", ...(hasSeveralNodes ? ["NODE"] : []), "EVENTS", "ASKS", "AGE", "TITLE"],
    found.map((session, index) => [
      session.id,
      session.agent,
      session.cutOffAt === undefined ? session.status : `${session.status}, cut off`,
      ...(hasSeveralNodes ? [nodeOf(session) ?? ""] : []),
      String(session.head),
      String(session.openAsks),
      formatAge(session.updatedAt, now),
      labels[index]!,
    ]),
    terminalWidth(),
  );
}

function readLimit(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) {
    throw new UsageError(`--limit: "${text}" is not a number of sessions. Give 1 or more.`);
  }
  return Number(text);
}

function readStatus(text: string | undefined): SessionStatus | undefined {
  const status = SESSION_STATUSES.find((known) => known === text);
  if (text === undefined || status !== undefined) return status;
  throw new UsageError(`--status: there is no status "${text}". Use one of ${SESSION_STATUSES.join(", ")}.`);
}
