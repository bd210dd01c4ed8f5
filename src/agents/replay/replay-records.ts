/** Replays records that are at hand, one after the other. */
import type { SessionEvent } from "../../core/event.ts";
import type { RawRecord } from "../../core/raw-record.ts";
import type { AgentProtocol } from "../transport/agent-protocol.ts";
import { RecordReplay, type ReplayOptions } from "./record-replay.ts";

/**
 * The events the records mean, as they come. After the last one the agent is taken to be gone.
 *
 * @example const events = [...replayRecords(protocol, readRecording(text), { session: "fixture" })];
 */
export function* replayRecords<State>(
  protocol: AgentProtocol<State>,
  records: Iterable<RawRecord>,
  options?: ReplayOptions,
): Generator<SessionEvent, void> {
  const replay = new RecordReplay(protocol, options);
  for (const record of records) yield* replay.add(record);
  yield* replay.end();
}
