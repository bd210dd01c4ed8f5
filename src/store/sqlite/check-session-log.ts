/** Checks the log of one session: every event and raw record is there, once, and can be read. */
import { setImmediate } from "node:timers/promises";
import { type CheckedSession, type Report, reportFailure } from "../check-report.ts";
import { type BlockLines, type Span, splitLines, unpackBlock, upcastLines } from "../format/block.ts";
import { checkContinuity, checkLines, type Mentioned, mention } from "../format/check-lines.ts";
import type { StoredContent } from "../format/packed-content.ts";
import type { Connection } from "./connection.ts";
import { readRawBlob } from "./raw-blob.ts";
import { findLogByNumber } from "./session-row.ts";
import { assertTailRow, SELECT_TAIL, type TailRow } from "./tail-row.ts";

const SELECT_BLOCKS = `SELECT id, first, last, raw_first, raw_last, format FROM block
  WHERE session = ? ORDER BY last, raw_last`;
const SELECT_CONTENT = "SELECT codec, data, checksum FROM block WHERE id = ?";

export async function checkSessionLog(
  connection: Connection,
  { id }: CheckedSession,
  report: Report,
): Promise<Mentioned> {
  const mentioned: Mentioned = { messages: new Set(), asks: new Set() };
  // Reads the heads again in the same snapshot as the rest: the session may be growing.
  const { session, blocks, tail } = connection.snapshot(() => ({
    session: findLogByNumber(connection, id),
    blocks: connection.all<Span & { id: number }>(SELECT_BLOCKS, id),
    tail: connection.all<TailRow>(SELECT_TAIL, id),
  }));
  if (!session) return mentioned;
  checkContinuity([...blocks, ...tail], session, report);
  const check = async (span: Span, lines: BlockLines) => {
    await checkLines(span, lines, report, (rawSeq) => readRawBlob(connection, id, rawSeq));
    for (const line of lines.events) mention(line, mentioned);
  };
  for (const block of blocks) {
    await setImmediate();
    const stored = connection.get<StoredContent>(SELECT_CONTENT, block.id);
    // Packed into a larger block, or deleted, since the snapshot.
    if (!stored) continue;
    await reportFailure(report, async () => check(block, await unpackBlock(id, block, stored)));
  }
  for (const row of tail) {
    await reportFailure(report, () => {
      assertTailRow(id, row);
      const events = upcastLines(splitLines(row.events), row.format);
      return check(row, { events, raws: splitLines(row.raws) });
    });
  }
  return mentioned;
}
