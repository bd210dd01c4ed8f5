/** The history of a dialog, page by page from its end. */
import type { DialectHandlers, DialectServices } from "../../dialect.ts";
import { type HistoryEntry, historyEntries } from "../history-events.ts";
import { canApprovePlans, type SmithyMount } from "../mount.ts";
import type { SmithyRoutes } from "../routes.ts";
import { readMessages } from "./conversation.ts";
import { type DialogsDirectory, dialogIdOf } from "./dialogs-directory.ts";

/** The newest entries that fit, the newest first. */
interface Page {
  entries: HistoryEntry[];
  hasMore: boolean;
  /** Of the whole history. */
  total: number;
}

export function historyHandlers(
  services: DialectServices,
  dialogs: DialogsDirectory,
  mount: SmithyMount,
): Pick<DialectHandlers<SmithyRoutes>, "listSmithyHistory"> {
  async function readPage(
    session: { id: string; cwd: string },
    { limit, before = Number.POSITIVE_INFINITY }: { limit: number; before?: number },
  ): Promise<Page> {
    const page = services.pageLink(session.id);
    const options = { cwd: session.cwd, page, canApprovePlans: canApprovePlans(mount) };
    const found: Page = { entries: [], hasMore: false, total: 0 };
    let texts = 0;
    for await (const { row, record } of readMessages(services, session.id)) {
      const entries = historyEntries(record, row.position ?? row.firstSeq, options);
      found.total += entries.length;
      for (const entry of entries.toReversed()) {
        if (entry.seq >= before) continue;
        if (texts === limit) found.hasMore = true;
        else found.entries.push(entry);
        if ("idx" in entry.event && texts < limit) texts += 1;
      }
    }
    return found;
  }

  return {
    async listSmithyHistory({ params, query }, call) {
      const session = await dialogs.require(params.id);
      const { entries, hasMore, total } = await readPage(session, query);
      const { items, isCut } = await services.pages.encode(entries, ({ event }) => JSON.stringify(event));
      const shown = entries.slice(0, items.length).reverse();
      const indexed = shown.filter(({ event }) => "idx" in event).map(({ seq }) => seq);
      // A page that is cut short goes on at its first event, whatever that is.
      const first = isCut ? shown[0]?.seq : indexed[0];
      const last = indexed.at(-1);
      return call.answerList("events", items.reverse(), {
        dialog_id: dialogIdOf(session),
        total_events: total,
        has_more: hasMore || isCut,
        ...(first !== undefined && { first_idx: first }),
        ...(last !== undefined && { last_idx: last }),
      });
    },
  };
}
