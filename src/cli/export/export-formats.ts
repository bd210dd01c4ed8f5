/** The formats a session can be exported in. Adding one is a function and a line here. */
import type { Reader } from "../reader.ts";

/** Yields the text in pieces, so that a long session need not fit into memory. */
export type ExportFormat = (reader: Reader, session: string) => AsyncIterable<string>;

export const EXPORT_FORMATS: Readonly<Record<string, ExportFormat>> = {
  raw: exportRecording,
};

async function* exportRecording(reader: Reader, session: string): AsyncGenerator<string, void> {
  const { toRecordingLine } = await import("../../core/recording-line.ts");
  let startedAt: number | undefined;
  for await (const record of reader.records(session)) {
    startedAt ??= record.at;
    yield `${JSON.stringify(toRecordingLine(record, startedAt))}\n`;
  }
}
