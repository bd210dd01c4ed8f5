/** Finds the session somebody means: by its id, or by the beginning of one. */
import { suggestWord } from "../core/suggest-word.ts";
import { InterlinguaError } from "../sdk/error.ts";
import type { Session } from "../sdk/session.ts";
import type { Invocation } from "./command.ts";
import { connectDaemon } from "./connect-daemon.ts";
import { daemonReader } from "./daemon-reader.ts";
import type { Reader } from "./reader.ts";
import { UsageError } from "./usage-error.ts";

const SESSIONS_PER_PAGE = 500;
/** More of them tell nobody which one to take. */
const MAX_NAMED = 10;

/** The whole id. Throws `session_not_found` when there is none, and names them when there are several. */
export async function resolveSession(reader: Reader, given: string): Promise<string> {
  try {
    return (await reader.session(given)).id;
  } catch (error) {
    if ((error as { code?: string }).code !== "session_not_found") throw error;
    const all = await allIds(reader);
    const ids = all.filter((id) => id.startsWith(given));
    if (ids.length === 0) throw notFound(given, all);
    if (ids.length === 1) return ids[0]!;
    const more = ids.length > MAX_NAMED ? ", …" : ".";
    throw new UsageError(
      `Several sessions begin with "${given}": ${ids.slice(0, MAX_NAMED).join(", ")}${more}`,
    );
  }
}

/** The session that the command's first argument names, at the daemon. */
export async function connectSession(invocation: Invocation): Promise<Session> {
  const client = await connectDaemon(invocation);
  return client.sessions.handle(await resolveSession(daemonReader(client), invocation.positionals[0]!));
}

async function allIds(reader: Reader): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of reader.listSessions({ limit: SESSIONS_PER_PAGE })) ids.push(id);
  return ids;
}

function notFound(given: string, ids: readonly string[]): InterlinguaError {
  // It may be a mistyped beginning, too.
  const beginnings = new Map(ids.map((id) => [id.slice(0, given.length), id]));
  const meant = suggestWord(given, ids) ?? beginnings.get(suggestWord(given, [...beginnings.keys()]) ?? "");
  const hint = meant === undefined ? "" : ` Did you mean "${meant}"?`;
  const remedy = "interlingua sessions lists those there are.";
  return new InterlinguaError("session_not_found", `There is no session "${given}".${hint} ${remedy}`);
}
