/** Writes batches: one statement for each, unless a session is in it twice. */
import type { SessionAppend } from "../../core/store.ts";
import { checkAppend } from "../check-append.ts";
import { BLOCK_BYTES, BLOCK_EVENTS } from "../format/cut-blocks.ts";
import { packMessages } from "../format/pack-messages.ts";
import { packRaws } from "../format/raw-line.ts";
import { StoreWriteError } from "../store-write-error.ts";
import { AppendParameters, lastOfEach, type PackedAppend, type PlacedAppend } from "./append-parameters.ts";
import { appendStatement } from "./append-statement.ts";
import type { PostgresConnection, RunStatement } from "./connection.ts";
import type { KnownHead, KnownHeads } from "./known-heads.ts";
import { PostgresFailure } from "./postgres-failure.ts";
import { findMessageChanges } from "./rewinds.ts";

/** A session whose tail should be packed. */
export interface Sealable {
  session: number;
  /** At once, because it has become long. */
  isLong: boolean;
}

interface Accepted {
  session: number;
  tail_events: number;
  tail_bytes: number;
}

export function packBatch(batch: readonly SessionAppend[]): Promise<PackedAppend[]> {
  return Promise.all(
    batch.map(async (append) => {
      const messages = lastOfEach(append.messages, ({ id }) => id);
      const [raws, packed] = await Promise.all([packRaws(append.raws), packMessages(messages)]);
      return { append, raws, messages: packed };
    }),
  );
}

/** Returns the sessions whose tail should be packed. */
export async function writeBatch(
  connection: PostgresConnection,
  heads: KnownHeads,
  batch: readonly PackedAppend[],
): Promise<Sealable[]> {
  const waves = await place(heads, batch);
  try {
    if (waves.length === 1)
      return await writeWave((...given) => connection.write(...given), heads, waves[0]!);
    return await connection.transaction(async (run) => {
      const sealable: Sealable[] = [];
      for (const wave of waves) sealable.push(...(await writeWave(run, heads, wave)));
      return sealable;
    });
  } catch (error) {
    // In several waves what was noted of the former ones may not hold.
    const isUnknown = error instanceof PostgresFailure && error.isUnknown;
    for (const wave of [...waves].reverse())
      for (const { append, head } of wave) {
        if (isUnknown && waves.length === 1) heads.doubt(append.session, head);
        else heads.forget(append.session);
      }
    throw error;
  }
}

type Wave = { append: SessionAppend; packed: PackedAppend; head: KnownHead }[];

/** Each wave has a session once. Throws, and has written nothing, where an append does not continue its log. */
async function place(heads: KnownHeads, batch: readonly PackedAppend[]): Promise<Wave[]> {
  forgetDoubts(heads, batch);
  const known = await heads.load([...new Set(batch.map(({ append }) => append.session))]);
  const waves: Wave[] = [];
  const placed = new Map<string, number>();
  for (const packed of batch) {
    const { append } = packed;
    const head = known.get(append.session)!;
    checkAppend(append, head);
    const wave = placed.get(append.session) ?? 0;
    waves[wave] ??= [];
    waves[wave].push({ append, packed, head });
    placed.set(append.session, wave + 1);
    const { session, epoch } = head;
    known.set(append.session, { session, epoch, head: append.row.head, rawHead: append.row.rawHead });
  }
  return waves;
}

/** After an unknown outcome the same append comes again, or one that follows it: then the stored head is asked for. */
function forgetDoubts(heads: KnownHeads, batch: readonly PackedAppend[]): void {
  for (const { append } of batch) {
    const known = heads.get(append.session);
    if (!known?.isInDoubt) continue;
    const { row, events, raws } = append;
    if (row.head - events.length !== known.head || row.rawHead - raws.length !== known.rawHead)
      heads.forget(append.session);
  }
}

async function writeWave(run: RunStatement, heads: KnownHeads, wave: Wave): Promise<Sealable[]> {
  const parameters = new AppendParameters();
  for (const { append, packed, head } of wave) {
    const needsChanges = append.rewound !== undefined || append.amended !== undefined;
    const changes = needsChanges ? await findMessageChanges(run, head.session, append, packed.messages) : [];
    parameters.add({ ...packed, head, changes } satisfies PlacedAppend);
  }
  const rows = await run<Accepted>(appendStatement(parameters.present), parameters.values);
  const accepted = new Map(rows.map((row) => [row.session, row]));
  const refused = wave.filter(({ head }) => !accepted.has(head.session));
  for (const { append, head } of wave) if (accepted.has(head.session)) heads.moved(head, append.row);
  if (refused.length > 0) await settleRefused(run, heads, refused);
  return wave.flatMap(({ append, head: { session } }) => {
    const tail = accepted.get(session);
    if (!tail || tail.tail_bytes === 0) return [];
    const isLong = tail.tail_events >= BLOCK_EVENTS || tail.tail_bytes >= BLOCK_BYTES;
    return append.seal || isLong ? [{ session, isLong }] : [];
  });
}

const SELECT_PLACES = `SELECT session, epoch, head, raw_head FROM log_head WHERE session = ANY($1::bigint[])`;

/** One that was written before, by a statement whose answer was lost, is done. Throws for any other. */
async function settleRefused(run: RunStatement, heads: KnownHeads, refused: Wave): Promise<void> {
  const found = await run<{ session: number; epoch: number; head: number; raw_head: number }>(SELECT_PLACES, [
    refused.map(({ head }) => head.session),
  ]);
  const places = new Map(found.map((place) => [place.session, place]));
  const lost: string[] = [];
  for (const { append, head } of refused) {
    const { row } = append;
    const stored = places.get(head.session);
    const isDone =
      head.isInDoubt === true &&
      stored?.epoch === head.epoch &&
      stored.head === row.head &&
      stored.raw_head === row.rawHead;
    if (isDone) heads.moved(head, row);
    else lost.push(append.session);
  }
  if (lost.length === 0) return;
  for (const session of lost) heads.forget(session);
  const names = lost.map((session) => `"${session}"`).join(", ");
  throw new StoreWriteError(`The log of ${names} was continued by somebody else.`, {
    cause: undefined,
    retryable: false,
  });
}
