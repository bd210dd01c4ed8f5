/** Writes recordings: what went to an agent, what came from it and what happened to it, one line of JSON each. */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import type { AgentOutput } from "../../core/adapter.ts";
import type { RawDraft } from "../../core/raw-record.ts";
import { toRecordingLine } from "../../core/recording-line.ts";

/** A recording under way. */
export interface Recorder {
  add(raw: RawDraft): void;
}

/**
 * Records into a file that only its owner may read: a recording holds all that was said, secrets too. Each record is
 * on disk before the next one, so a recording of a crash has all there was. A file that exists is continued.
 *
 * @example
 * const recorder = openRecorder("session.recording.jsonl");
 * recorder.add({ direction: "out", data: line });
 */
export function openRecorder(file: string, now: () => number = Date.now): Recorder {
  const earlier = existsSync(file) ? readFileSync(file, "utf8").split("\n").filter(Boolean) : [];
  if (earlier.length === 0) writeFileSync(file, "", { mode: 0o600 });
  const records = earlier.map((line) => JSON.parse(line));
  const startedAt: number = records[0]?.at ?? now();
  let generation = records.filter(({ msg }) => msg?.event === "spawn").length;
  let rawSeq = records.length;
  return {
    add(raw) {
      rawSeq += 1;
      if (raw.direction === "process" && raw.data.event === "spawn") generation += 1;
      const line = toRecordingLine({ ...raw, rawSeq, generation, at: now() }, startedAt);
      appendFileSync(file, `${JSON.stringify(line)}\n`);
    },
  };
}

/**
 * Gives the outputs of a session on as they are, and records them on the way.
 *
 * @example for await (const output of recorded(session.messages, recorder)) handle(output);
 */
export async function* recorded(
  outputs: AsyncIterable<AgentOutput>,
  recorder: Recorder,
): AsyncGenerator<AgentOutput, void> {
  for await (const output of outputs) {
    recorder.add(output.raw);
    yield output;
  }
}
