/** `interlingua audit`: who did what. */
import type { AuditEntry } from "../../sdk/types.ts";
import { CLIENT_OPTIONS, type CommandBody, type Flags, JSON_OPTION } from "../command.ts";
import { connectDaemon } from "../connect-daemon.ts";
import { daemonReader } from "../daemon-reader.ts";
import { formatAge } from "../format-age.ts";
import { formatTable } from "../format-table.ts";
import { print, printJson, printNote, terminalWidth } from "../output.ts";
import { resolveSession } from "../resolve-session.ts";
import { UsageError } from "../usage-error.ts";

const DEFAULT_ENTRIES = 100;
const MAX_ENTRIES = 100_000;
/** How many are read at once. */
const ENTRIES_PER_PAGE = 1000;

export const audit: CommandBody = {
  positionals: [],
  details: "Commands, refusals, tokens and invitations, newest first; never what was said.",
  options: {
    session: { type: "string", placeholder: "ID", help: "Only of this session" },
    by: { type: "string", placeholder: "NAME", help: "Only what this name did" },
    limit: { type: "string", placeholder: "NUMBER", help: `How many (${DEFAULT_ENTRIES})` },
    ...JSON_OPTION,
    ...CLIENT_OPTIONS,
  },
  async run(invocation) {
    const { flags } = invocation;
    const limit = readLimit(flags);
    const client = await connectDaemon(invocation);
    const given = flags.text("session");
    const session = given === undefined ? undefined : await idOf(client, given);
    const entries: AuditEntry[] = [];
    const query = { session, by: flags.text("by"), limit: Math.min(limit, ENTRIES_PER_PAGE) };
    for await (const entry of client.audit(query)) {
      if (entries.length === limit) break;
      entries.push(entry);
    }
    if (flags.on("json")) printJson(entries);
    else if (entries.length > 0) print(toTable(entries));
    else printNote("Nothing was written down.");
    return 0;
  },
};

/** One that was deleted is known to the audit log only. */
async function idOf(client: Parameters<typeof daemonReader>[0], given: string): Promise<string> {
  try {
    return await resolveSession(daemonReader(client), given);
  } catch (error) {
    if ((error as { code?: string }).code !== "session_not_found") throw error;
    const { value } = await client.audit({ session: given, limit: 1 }).next();
    if (value) return given;
    throw error;
  }
}

function readLimit(flags: Flags): number {
  const text = flags.text("limit") ?? String(DEFAULT_ENTRIES);
  const limit = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= MAX_ENTRIES) return limit;
  throw new UsageError(`--limit: "${text}" is not a number from 1 to ${MAX_ENTRIES}.`);
}

function toTable(entries: readonly AuditEntry[]): string {
  const now = Date.now();
  return formatTable(
    ["AGE", "BY", "ACTION", "SESSION", "OUTCOME", "DETAIL"],
    entries.map(({ at, by, action, session, outcome, code, detail }) => [
      formatAge(at, now),
      by,
      action,
      session ?? "-",
      code ?? outcome,
      detail ?? "",
    ]),
    terminalWidth(),
  );
}
