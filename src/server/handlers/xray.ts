import { eventOf } from "../../core/encoded-event.ts";
import { sessionNotFound } from "../../protocol/refusals.ts";
import type { Handlers } from "../mount.ts";
import { readEntryFrames } from "../xray/entry-frames.ts";
import { readEntryRecords } from "../xray/entry-records.ts";
import { findEntry } from "../xray/find-entry.ts";
import { sendRecording } from "../xray/send-recording.ts";
import type { HandlerDependencies } from "./index.ts";

type XrayHandlers = Pick<Handlers, "getXray" | "downloadRecording">;

export function xrayHandlers({ store, slices, dialects, unreadReaders }: HandlerDependencies): XrayHandlers {
  return {
    async getXray({ params, query }) {
      const row = await store.getSession(params.id);
      if (!row) throw sessionNotFound(params.id);
      const entry = await findEntry(store, params.id, query.seq);
      const { seq, head, events } = entry;
      const [first, last] = [events[0]!.seq, events.at(-1)!.seq];
      return {
        status: 200,
        body: {
          seq,
          head,
          ...(await readEntryRecords({ store, slices }, params.id, entry, unreadReaders?.(row.agent))),
          events: events.map(eventOf),
          ...(await readEntryFrames({ store, slices }, row, entry, dialects)),
          ...(first > 1 && { previous: first - 1 }),
          ...(last < head && { next: last + 1 }),
        },
      };
    },

    async downloadRecording({ params }, context) {
      const row = await store.getSession(params.id);
      if (!row) throw sessionNotFound(params.id);
      return sendRecording(context, { store, slices }, params.id);
    },
  };
}
