/** What agents of other nodes may have changed in a directory that nodes share, by what is stored of their sessions. */
import { eventOf } from "../../core/encoded-event.ts";
import { readLog } from "../../core/read-log.ts";
import type { SessionState } from "../../core/session-state.ts";
import type { SharedDirectories } from "../../core/shared-directories.ts";
import type { Store } from "../../core/store.ts";
import type { Report } from "./attribute-changes.ts";
import { timeOf } from "./worked-beside.ts";

/** By this much the clocks of two nodes may differ. */
const CLOCK_MARGIN_MS = 60_000;
/** With more than these nobody can tell whose change it was. */
const MAX_SESSIONS = 20;
const MAX_MESSAGES = 50;
const MAX_EVENTS = 50_000;

/** What is known of them: all they said, or only that there were some. */
export type WorkedElsewhere = readonly Report[] | "unknown";

interface Parts {
  store: Pick<Store, "listMessages" | "readEvents" | "getSession">;
  directories?: SharedDirectories;
}

/**
 * Empty where nobody worked there since then. `edited` of a report has all that was told as an edit, also what only a
 * checkpoint showed. Never rejects.
 */
export async function workedElsewhere(
  { store, directories }: Parts,
  { id: session, cwd: directory }: Pick<SessionState, "id" | "cwd">,
  startedAt: number,
): Promise<WorkedElsewhere> {
  if (!directories?.isShared(directory)) return [];
  const since = startedAt - CLOCK_MARGIN_MS;
  try {
    const limit = MAX_SESSIONS + 1;
    const sessions = await directories.listChangedSince({ session, directory, since, limit });
    if (sessions.length > MAX_SESSIONS) return "unknown";
    const reports: Report[] = [];
    for (const other of sessions) {
      const report = await reportSince(store, other, since);
      if (report === "unknown") return report;
      if (report) reports.push(report);
    }
    return reports;
  } catch {
    return "unknown";
  }
}

/** Undefined where nothing was said in it since then. */
async function reportSince(
  store: Parts["store"],
  session: string,
  since: number,
): Promise<Report | "unknown" | undefined> {
  const { messages } = await store.listMessages(session, { limit: MAX_MESSAGES, withoutRecords: true });
  let first: number | undefined;
  for (const { firstSeq, lastSeq } of messages.toReversed()) {
    if ((await timeOf(store, session, lastSeq)) < since) break;
    first = firstSeq;
  }
  if (first === undefined) return undefined;
  if (messages.length === MAX_MESSAGES && first === messages[0]?.firstSeq) return "unknown";
  const edited: string[] = [];
  let count = 0;
  for await (const page of readLog(store, session, first - 1)) {
    count += page.length;
    if (count > MAX_EVENTS) return "unknown";
    for (const encoded of page) {
      if (!encoded.json.includes('"file.edited"')) continue;
      const event = eventOf(encoded);
      if (event.type === "file.edited") edited.push(event.path, ...(event.from ? [event.from] : []));
    }
  }
  const cwd = (await store.getSession(session))?.cwd;
  return cwd === undefined ? "unknown" : { cwd, edited };
}
