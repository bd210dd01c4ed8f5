/** What a translator has no use for in the records of an agent: read again, since nobody stores it. */
import { isFailedStart, type RawRecord } from "../../core/raw-record.ts";
import type { ReadUnread } from "../../core/read-unread.ts";
import type { AgentProtocol } from "../transport/agent-protocol.ts";
import { translateRecord } from "../transport/translate-record.ts";

export function createUnreadReader<State>({ translator }: AgentProtocol<State>): ReadUnread {
  let state = translator.initial;
  let generation: number | undefined;
  return (record: RawRecord) => {
    if (record.generation !== generation || isFailedStart(record)) state = translator.initial;
    generation = record.generation;
    const [next, , unread = []] = translateRecord(translator, state, record);
    state = next;
    return unread;
  };
}
