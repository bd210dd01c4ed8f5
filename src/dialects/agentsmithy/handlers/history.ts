/** The history of a dialog, page by page from its end. */
import type { Principal } from "../../../core/principal.ts";
import type { SessionRow } from "../../../core/store.ts";
import type { QueuedView } from "../../../protocol/commands/command-types.ts";
import type { DialectHandlers, DialectServices } from "../../dialect.ts";
import { type HistoryEntry, type HistoryOptions, historyEntries, promptEntry } from "../history-events.ts";
import { canApprovePlans, type SmithyMount } from "../mount.ts";
import type { SmithyRoutes } from "../routes.ts";
import { readCheckpoints } from "./checkpoints.ts";
import { findMessageFrom, positionOf, readMessages } from "./conversation.ts";
import { type DialogsDirectory, dialogIdOf } from "./dialogs-directory.ts";
import { HistoryCounts } from "./history-counts.ts";
import { type HistoryGroup, HistoryPage } from "./history-page.ts";

export function historyHandlers(
  services: DialectServices,
  dialogs: DialogsDirectory,
  mount: SmithyMount,
): Pick<DialectHandlers<SmithyRoutes>, "listSmithyHistory"> {
  const { engine, pages } = services;
  const counts = new HistoryCounts(services);

  /** From the newest to the oldest, those that wait where they were said. */
  async function* groups(
    session: SessionRow,
    before: number | undefined,
    queued: readonly QueuedView[],
    options: HistoryOptions,
    caller: Principal,
  ): AsyncGenerator<HistoryGroup> {
    const waiting = queued.map(({ parts, seq }) => promptEntry(parts, seq));
    const isWaiting = new Set(queued.map(({ message }) => message));
    const end = before === undefined ? undefined : await findMessageFrom(services, session.id, before);
    let checkpointAt: HistoryOptions["checkpointAt"];
    for await (const { row, record } of readMessages(services, session.id, end)) {
      // It began after the queue was read.
      if (isWaiting.has(row.id)) continue;
      if (record.events?.some(({ type }) => type === "ask.answered"))
        checkpointAt ??= await readCheckpoints(engine, session.id, caller);
      for (const group of grouped(historyEntries(record, positionOf(row), { ...options, checkpointAt }))) {
        while (waiting.length > 0 && waiting.at(-1)!.seq > group[0].seq) yield [waiting.pop()!];
        yield group;
      }
    }
    for (const entry of waiting.reverse()) yield [entry];
  }

  return {
    async listSmithyHistory({ params, query }, call) {
      const session = await dialogs.require(params.id);
      const page = services.pageLink(session.id);
      const options = { cwd: session.cwd, page, canApprovePlans: canApprovePlans(mount) };
      const queued = await engine.run(
        "listQueue",
        { session: session.id, maxBytes: pages.maxBytes },
        call.caller,
      );
      const total = queued.length + (await counts.count(session, options));
      const reading = new HistoryPage(query);
      const found = reading.take(groups(session, query.before, queued, options, call.caller));
      const { items, isCut } = await pages.encode(found, encodeGroup);
      const { first, last } = reading.bounds(items.length, isCut);
      return call.answerList("events", items.reverse(), {
        dialog_id: dialogIdOf(session),
        total_events: total,
        has_more: reading.hasMore || isCut,
        ...(first !== undefined && { first_idx: first }),
        ...(last !== undefined && { last_idx: last }),
      });
    },
  };
}

/** The newest first. */
function* grouped(entries: readonly HistoryEntry[]): Generator<HistoryGroup> {
  let group: HistoryEntry[] = [];
  for (const entry of entries.toReversed()) {
    if (group.length > 0 && group[0]!.seq !== entry.seq) {
      yield group as HistoryGroup;
      group = [];
    }
    group.unshift(entry);
  }
  if (group.length > 0) yield group as HistoryGroup;
}

function encodeGroup(group: HistoryGroup): string {
  return group.map(({ event }) => JSON.stringify(event)).join(",");
}
