/** Writes batches: one statement for each, unless a session is in it twice. */
import { setImmediate } from "node:timers/promises";
import { FIRST_EPOCH } from "../../core/ownership.ts";
import type { AppendResult, CutShort, SessionAppend } from "../../core/store.ts";
import { checkEntries, checkHeads } from "../check-append.ts";
import { BLOCK_BYTES, BLOCK_EVENTS } from "../format/cut-blocks.ts";
import { packMemory } from "../format/pack-memory.ts";
import { packMessages } from "../format/pack-messages.ts";
import { packRaws } from "../format/raw-line.ts";
import type { Sealable } from "../sealer.ts";
import { StoreWriteError } from "../store-write-error.ts";
import { AppendParameters, lastOfEach, type PackedAppend, type PlacedAppend } from "./append-parameters.ts";
import { appendStatement } from "./append-statement.ts";
import type { PostgresConnection, RunStatement } from "./connection.ts";
import type { KnownHead, KnownHeads } from "./known-heads.ts";
import { PostgresFailure } from "./postgres-failure.ts";
import { findMessageChanges } from "./rewinds.ts";

interface Accepted {
  session: number;
  tail_events: number;
  tail_bytes: number;
}

export function packBatch(batch: readonly SessionAppend[]): Promise<PackedAppend[]> {
  return Promise.all(
    batch.map(async (append) => {
      for (const _ of checkEntries(append)) await setImmediate();
      const messages = lastOfEach(append.messages, ({ id }) => id);
      const [raws, packed, memory] = await Promise.all([
        packRaws(append.raws),
        packMessages(messages),
        packMemory(append.memory ?? []),
      ]);
      return { append, raws, messages: packed, memory };
    }),
  );
}

export interface WrittenBatch extends Required<AppendResult> {
  /** Those whose tail should be packed. */
  sealable: Sealable[];
}

export async function writeBatch(
  connection: PostgresConnection,
  heads: KnownHeads,
  batch: readonly PackedAppend[],
): Promise<WrittenBatch> {
  const { waves, refused } = await place(heads, batch);
  const sealable: Sealable[] = [];
  const cutShort: CutShort[] = [];
  const write = async (run: RunStatement) => {
    for (const wave of waves) {
      const written = await writeWave(run, heads, wave);
      sealable.push(...written.sealable);
      cutShort.push(...written.cutShort);
      for (const session of written.refused) refused.add(session);
    }
  };
  try {
    if (waves.length > 1) await connection.transaction(write);
    else await write((...given) => connection.write(...given));
    return { sealable, refused: [...refused], cutShort };
  } catch (error) {
    // In several waves what was noted of the former ones may not hold.
    const isUnknown = error instanceof PostgresFailure && error.isUnknown;
    for (const wave of [...waves].reverse())
      for (const { append, head } of wave) {
        // Nor does a failure that is known tell how the one before it ended.
        if ((isUnknown || head.isInDoubt) && waves.length === 1) heads.doubt(append.session, head);
        else heads.forget(append.session);
      }
    throw error;
  }
}

type Wave = { append: SessionAppend; packed: PackedAppend; head: KnownHead }[];

/**
 * Each wave has a session once. Appends whose claim does not hold any more are left out. Throws, and has written nothing,
 * where one does not continue its log.
 */
async function place(
  heads: KnownHeads,
  batch: readonly PackedAppend[],
): Promise<{ waves: Wave[]; refused: Set<string> }> {
  for (const { append } of batch)
    if (isOutdated(heads.get(append.session), append)) heads.forget(append.session);
  const known = await heads.load([...new Set(batch.map(({ append }) => append.session))]);
  const waves: Wave[] = [];
  const refused = new Set<string>();
  const placed = new Map<string, number>();
  for (const packed of batch) {
    const { append } = packed;
    const head = known.get(append.session)!;
    if (!isUnderClaim(head, append)) {
      refused.add(append.session);
      continue;
    }
    if (head.isNew) head.owner = append.claim?.node;
    checkHeads(append, head);
    const wave = placed.get(append.session) ?? 0;
    waves[wave] ??= [];
    waves[wave].push({ append, packed, head });
    placed.set(append.session, wave + 1);
    const { session, owner, epoch } = head;
    const { head: newHead, rawHead } = append.row;
    known.set(append.session, { session, owner, epoch, head: newHead, rawHead });
  }
  return { waves, refused };
}

/**
 * Whether the stored head has to be asked for. Under another claim others may have written in between. After an unknown
 * outcome the same append comes again, or one that follows it. Another node may have deleted the session: one that is made
 * under its id has its first claim, too.
 */
function isOutdated(known: KnownHead | undefined, { claim, row, events, raws }: SessionAppend): boolean {
  if (!known) return false;
  if (claim && claim.epoch !== known.epoch) return true;
  return row.head - events.length !== known.head || row.rawHead - raws.length !== known.rawHead;
}

/** The statement compares the epoch once more; this is what it cannot see of a session that was made twice, or deleted. */
function isUnderClaim({ isNew, owner, epoch }: KnownHead, { claim }: SessionAppend): boolean {
  if (!claim) return true;
  return isNew ? claim.epoch === FIRST_EPOCH : owner === claim.node && epoch === claim.epoch;
}

async function writeWave(run: RunStatement, heads: KnownHeads, wave: Wave): Promise<WrittenBatch> {
  const parameters = new AppendParameters();
  for (const { append, packed, head } of wave) {
    const needsChanges = append.rewound !== undefined || append.amended !== undefined;
    const changes = needsChanges ? await findMessageChanges(run, head.session, append, packed.messages) : [];
    parameters.add({ ...packed, head, changes } satisfies PlacedAppend);
  }
  const rows = await run<Accepted>(appendStatement(parameters.present), parameters.values);
  const accepted = new Map(rows.map((row) => [row.session, row]));
  const missing = wave.filter(({ head }) => !accepted.has(head.session));
  for (const { append, head } of wave) if (accepted.has(head.session)) heads.moved(head, append);
  const { refused, cutShort } = await settleMissing(run, heads, missing);
  const sealable = wave.flatMap(({ append, head: { session } }) => {
    const tail = accepted.get(session);
    if (!tail || tail.tail_bytes === 0) return [];
    const isLong = tail.tail_events >= BLOCK_EVENTS || tail.tail_bytes >= BLOCK_BYTES;
    return append.seal || isLong ? [{ session, isLong }] : [];
  });
  return { sealable, refused, cutShort };
}

const SELECT_PLACES = `SELECT session, epoch, head, raw_head FROM log_head WHERE session = ANY($1::bigint[])`;

/**
 * A commit that waits for a standby waits for all before it, too. One whose wait was cut off is in the log and perhaps
 * nowhere else; this is a commit after it.
 */
const CONFIRM = "UPDATE log_head SET head = head WHERE session = ANY($1::bigint[])";

interface StoredPlace {
  session: number;
  epoch: number;
  head: number;
  raw_head: number;
}

/**
 * One that was written before, by a statement whose answer was lost, is done. Tells those that somebody else has claimed
 * since, and those whose log has become shorter; throws where neither is so.
 */
async function settleMissing(
  run: RunStatement,
  heads: KnownHeads,
  missing: Wave,
): Promise<Required<AppendResult>> {
  const settled = { refused: [] as string[], cutShort: [] as CutShort[] };
  if (missing.length === 0) return settled;
  const found = await run<StoredPlace>(SELECT_PLACES, [missing.map(({ head }) => head.session)]);
  const places = new Map(found.map((place) => [place.session, place]));
  const done: Wave = [];
  const continued: string[] = [];
  for (const one of missing) {
    const { append, head } = one;
    const stored = places.get(head.session);
    if (isDone(one, stored)) {
      done.push(one);
      continue;
    }
    heads.forget(append.session);
    if (stored && hasGoneBack(one, stored))
      settled.cutShort.push({ session: append.session, acknowledged: head.head, head: stored.head });
    else if (append.claim !== undefined && stored?.epoch !== append.claim.epoch)
      settled.refused.push(append.session);
    else continued.push(append.session);
  }
  if (done.length > 0) await run(CONFIRM, [done.map(({ head }) => head.session)]);
  for (const { append, head } of done) heads.moved(head, append);
  if (continued.length === 0) return settled;
  const names = continued.map((session) => `"${session}"`).join(", ");
  throw new StoreWriteError(`The log of ${names} was continued by somebody else.`, {
    cause: undefined,
    retryable: false,
  });
}

function isDone({ append: { row }, head }: Wave[number], stored: StoredPlace | undefined): boolean {
  return (
    head.isInDoubt === true &&
    stored?.epoch === head.epoch &&
    stored.head === row.head &&
    stored.raw_head === row.rawHead
  );
}

/** Epochs and logs only grow, unless the database is another one than it was: a standby that did not have everything. */
function hasGoneBack({ head }: Wave[number], stored: StoredPlace): boolean {
  if (stored.epoch !== head.epoch) return stored.epoch < head.epoch;
  return stored.head < head.head || stored.raw_head < head.rawHead;
}
