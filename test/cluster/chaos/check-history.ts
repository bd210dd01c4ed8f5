/**
 * Whether a run kept what is promised: compares what processes were told and what readers saw with the logs at its end. Pure,
 * and knows nothing of how the logs are written.
 */
import { decodeWriter, type FinalEntry, type FinalLog, type HistoryRecord, type Writer } from "./history.ts";

/** Each names what must never be, and begins with one of these words. */
export type ViolationKind =
  | "gap"
  | "twice"
  | "fenced"
  | "two writers"
  | "disorder"
  | "acknowledged"
  | "seen"
  | "stands still"
  | "unknown";

export interface Violation {
  readonly kind: ViolationKind;
  readonly session: string;
  readonly detail: string;
}

/** Empty where everything holds. At most some of each kind for a session, so that a broken run can be read. */
export function checkHistory(records: readonly HistoryRecord[], logs: readonly FinalLog[]): Violation[] {
  const bySession = Map.groupBy(records, ({ session }) => session);
  const known = new Set(logs.map(({ session }) => session));
  const violations = logs.flatMap((log) => checkSession(bySession.get(log.session) ?? [], log));
  for (const [session, [record]] of bySession)
    if (!known.has(session))
      violations.push({
        kind: record!.kind === "seen" ? "seen" : "acknowledged",
        session,
        detail: "it is gone",
      });
  return violations;
}

const MAX_OF_A_KIND = 3;

function checkSession(records: readonly HistoryRecord[], log: FinalLog): Violation[] {
  const { session, headAfterFaults } = log;
  const violations: Violation[] = [];
  const report = (kind: ViolationKind, detail: string) => {
    if (violations.filter((violation) => violation.kind === kind).length < MAX_OF_A_KIND)
      violations.push({ kind, session, detail });
  };
  checkPlaces(log.events, "event", report);
  checkPlaces(log.raws, "raw record", report);
  checkWriters(log.events, report);
  checkClaims(records, log.events, report);
  checkObserved(records, log.events, report);
  if (log.events.length <= headAfterFaults)
    report("stands still", `nothing was written after event ${headAfterFaults}`);
  return violations;
}

type Report = (kind: ViolationKind, detail: string) => void;

/** Entries are at the places they say, all of them, and no text is there twice. */
function checkPlaces(entries: readonly FinalEntry[], what: string, report: Report): void {
  const places = new Map<string, number>();
  for (const [index, { place, seq, text }] of entries.entries()) {
    if (place !== index + 1) report("gap", `after ${what} ${index} comes ${place}`);
    if (seq !== place) report("gap", `${what} ${place} says that it is ${seq}`);
    const before = places.get(text);
    if (before !== undefined) report("twice", `"${text}" is ${what} ${before} and ${place}`);
    places.set(text, place);
  }
}

/** Epochs only rise, each has one writer, and what a writer wrote under a claim is there from its beginning, in order. */
function checkWriters(events: readonly FinalEntry[], report: Report): void {
  const nodes = new Map<number, number>();
  let last: Writer = { node: 0, epoch: -1, count: 0 };
  for (const { place, text } of events) {
    const writer = decodeWriter(text);
    if (!writer) {
      report("unknown", `event ${place} is "${text}"`);
      continue;
    }
    const { node, epoch, count } = writer;
    if (epoch < last.epoch)
      report("fenced", `event ${place} is of epoch ${epoch}, after one of ${last.epoch}`);
    const owner = nodes.get(epoch);
    if (owner !== undefined && owner !== node)
      report("two writers", `nodes ${owner} and ${node} wrote in epoch ${epoch}`);
    nodes.set(epoch, node);
    const expected = epoch === last.epoch && node === last.node ? last.count + 1 : 1;
    if (count !== expected) report("disorder", `event ${place} is "${text}", expected its count ${expected}`);
    last = writer;
  }
}

/** Nothing is written under an epoch once a later one was claimed, and no epoch was granted twice. */
function checkClaims(records: readonly HistoryRecord[], events: readonly FinalEntry[], report: Report): void {
  const claims = records.filter((record) => record.kind === "claimed");
  const written = events.map(({ place, text }) => ({ place, text, writer: decodeWriter(text) }));
  const granted = new Map<number, number>();
  for (const { epoch, node, head } of claims) {
    const other = granted.get(epoch);
    if (other !== undefined && other !== node)
      report("two writers", `epoch ${epoch} was granted to nodes ${other} and ${node}`);
    granted.set(epoch, node);
    const late = written.find(({ place, writer }) => place > head && writer && writer.epoch < epoch);
    if (late)
      report(
        "fenced",
        `event ${late.place} is "${late.text}", although epoch ${epoch} was claimed at ${head}`,
      );
  }
  for (const { place, writer } of written) {
    const owner = writer && granted.get(writer.epoch);
    if (owner !== undefined && owner !== writer?.node)
      report("two writers", `event ${place} is of node ${writer?.node}, epoch ${writer?.epoch} of ${owner}`);
  }
}

/** What anybody was told is there, at its seq and with its text. */
function checkObserved(
  records: readonly HistoryRecord[],
  events: readonly FinalEntry[],
  report: Report,
): void {
  for (const record of records) {
    if (record.kind === "claimed") continue;
    for (const [index, text] of record.texts.entries()) {
      const seq = record.first + index;
      const stored = events[seq - 1];
      if (!stored) report(record.kind, `event ${seq}, "${text}", is not there`);
      else if (stored.text !== text)
        report(record.kind, `event ${seq} was "${text}" and is "${stored.text}"`);
    }
  }
}
