/** `interlingua sessions`: which sessions there are, the newest first. */
import { SESSION_STATUSES } from "../../core/session-status.ts";
import type { SessionView } from "../../engine/engine.ts";
import { CLIENT_OPTIONS, type Command, JSON_OPTION } from "../command.ts";
import { callJson } from "../daemon-client.ts";
import { findDaemon } from "../find-daemon.ts";
import { formatAge } from "../format-age.ts";
import { formatTable } from "../format-table.ts";
import { print, printJson, printNote, terminalWidth } from "../output.ts";
import { UsageError } from "../usage-error.ts";

export const sessions: Command = {
  name: "sessions",
  positionals: [],
  summary: "List sessions, those changed last first",
  options: {
    ...JSON_OPTION,
    agent: { type: "string", placeholder: "NAME", help: "Only those of this agent" },
    status: { type: "string", placeholder: "STATUS", help: `Only those: ${SESSION_STATUSES.join(", ")}` },
    search: { type: "string", placeholder: "WORDS", help: "Only those with these words in title or prompts" },
    limit: { type: "string", placeholder: "NUMBER", help: "At most so many (20)" },
    ...CLIENT_OPTIONS,
  },
  async run(invocation) {
    const { flags } = invocation;
    const limit = readLimit(flags.text("limit") ?? "20");
    const status = readStatus(flags.text("status"));
    const daemon = await findDaemon(invocation);
    const found: SessionView[] = [];
    let cursor: string | undefined;
    do {
      const page = await callJson<{ sessions: SessionView[]; cursor?: string }>(daemon, "/v1/sessions", {
        query: {
          limit: Math.min(limit - found.length, 100),
          cursor,
          agent: flags.text("agent"),
          status,
          search: flags.text("search"),
        },
      });
      found.push(...page.sessions);
      cursor = page.cursor;
    } while (cursor !== undefined && found.length < limit);

    if (flags.on("json")) printJson(found);
    else if (found.length > 0) print(toTable(found));
    else printNote("No sessions found.");
    return 0;
  },
};

function toTable(found: readonly SessionView[]): string {
  const now = Date.now();
  return formatTable(
    ["ID", "AGENT", "STATUS", "EVENTS", "ASKS", "AGE", "TITLE"],
    found.map((session) => [
      session.id,
      session.agent,
      session.status,
      String(session.head),
      String(session.openAsks),
      formatAge(session.updatedAt, now),
      session.title ?? session.cwd,
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

function readStatus(text: string | undefined): string | undefined {
  if (text === undefined || (SESSION_STATUSES as readonly string[]).includes(text)) return text;
  throw new UsageError(`--status: there is no status "${text}". Use one of ${SESSION_STATUSES.join(", ")}.`);
}
