/**
 * What has to hold of the view of any dialect over any log: a client that was cut off and went on has what one has that
 * was never cut off, whoever else reads, and whatever stands in the log that is not known yet.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect } from "vitest";
import type { SessionEvent } from "../../core/event.ts";
import type { Frame, View, ViewDefinition } from "../../dialects/dialect.ts";
import { Random } from "../random.ts";

export interface DialectContract {
  readonly view: ViewDefinition;
  /** Reads frames as the real client does: those of a message, or of a session. Throws or rejects when it cannot. */
  read?(frames: readonly Frame[], events: readonly SessionEvent[]): void | Promise<void>;
}

export interface ContractOptions {
  /** Logs of up to so many events are cut at every place, longer ones at as many random ones. */
  cuts?: number;
  seed?: number;
}

/** @example await expectDialectContract({ view: myDialect.view }, log); */
export async function expectDialectContract(
  contract: DialectContract,
  log: readonly SessionEvent[],
  { cuts = 50, seed = 1 }: ContractOptions = {},
): Promise<void> {
  const random = new Random(seed);
  for (const events of storiesOf(contract.view, log)) {
    const frozen = events.map(deepFreeze);
    const whole = framesOf(contract.view, frozen);
    expect(framesOf(contract.view, stored(events)), "stored as live").toEqual(whole);
    expect(framesOf(contract.view, withUnknown(frozen, random)), "with unknown events").toEqual(whole);
    expectResumable(contract.view, frozen, whole, cutsOf(frozen.length, cuts, random));
    await contract.read?.(whole.flat(), events);
  }
}

/** What the view is of: the session, or each assistant message from its beginning on. */
function storiesOf({ scope }: ViewDefinition, log: readonly SessionEvent[]): (readonly SessionEvent[])[] {
  if (scope === "session") return [log];
  return log.flatMap((event, place) => (event.type === "message.started" ? [log.slice(place)] : []));
}

/** The frames of each event. */
function framesOf(view: ViewDefinition, events: readonly SessionEvent[]): Frame[][] {
  const one = view.create();
  return events
    .filter((event) => !isUnknown(event) || expectNothing(one, event))
    .map((event) => [...one.add(event)]);
}

/** Frames up to a cut, then those after resuming, are the frames without the cut. */
function expectResumable(
  view: ViewDefinition,
  events: readonly SessionEvent[],
  whole: readonly Frame[][],
  cuts: readonly number[],
): void {
  if (view.resume === "none") return;
  // Both at once: one that remembers anything outside of itself is found out.
  const interrupted = view.create();
  const before: Frame[] = [];
  let place = 0;
  for (const cut of cuts) {
    for (; place < cut; place += 1) before.push(...interrupted.add(events[place]!));
    const resumed = view.create();
    const again = events.map((event) => [...resumed.add(event)]);
    const after = view.resume === "cursor" ? again.slice(cut).flat() : again.flat().slice(before.length);
    expect([...before, ...after], `cut after ${cut} events`).toEqual(whole.flat());
  }
}

function cutsOf(length: number, most: number, random: Random): number[] {
  if (length <= most) return Array.from({ length: length + 1 }, (_, cut) => cut);
  return Array.from({ length: most }, () => random.integer(0, length)).sort((a, b) => a - b);
}

function stored(events: readonly SessionEvent[]): SessionEvent[] {
  return events.map((event) => JSON.parse(JSON.stringify(event)));
}

const UNKNOWN = "unknown.event";

/** Events of a later version may stand anywhere. */
function withUnknown(events: readonly SessionEvent[], random: Random): SessionEvent[] {
  return events.flatMap((event) => {
    if (!random.chance(0.2)) return [event];
    const { session, seq, at, turn, message } = event;
    const unknown = { session, seq, at, turn, message, type: UNKNOWN, value: { text: "?" } };
    return [event, unknown as unknown as SessionEvent];
  });
}

function isUnknown(event: SessionEvent): boolean {
  return (event.type as string) === UNKNOWN;
}

/** A view may show it as it is, or not at all; what it makes of the others must not change. */
function expectNothing(view: View, event: SessionEvent): false {
  view.add(event);
  return false;
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const inner of Object.values(value)) deepFreeze(inner);
  return Object.freeze(value);
}

const MESSAGE = { session: "s", turn: "t", message: "m" };
const PARTS = 4000;
const PART_LENGTH = 4000;

/** Of what is finished a view remembers next to nothing: its memory is bounded by what is open. */
export function expectBoundedMemory({ view }: DialectContract): void {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const one = view.create();
  let seq = 0;
  const add = (body: object) => {
    seq += 1;
    one.add({ ...MESSAGE, seq, at: seq, ...body } as SessionEvent);
  };
  const talk = (from: number, to: number) => {
    for (let part = from; part < to; part += 1) {
      const call = `c${part}`;
      add({ type: "text.start", part: `p${part}` });
      add({ type: "text.delta", part: `p${part}`, delta: `${part}`.repeat(PART_LENGTH / 4) });
      add({ type: "text.end", part: `p${part}` });
      add({ type: "tool.start", call, name: "look" });
      add({ type: "tool.input", call, input: { text: `${part}`.repeat(PART_LENGTH / 4) } });
      add({ type: "tool.output", call, output: `${part}`.repeat(PART_LENGTH / 4) });
    }
  };
  const used = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  add({ type: "session.created", agent: "mock", cwd: "/" });
  add({ type: "turn.started", origin: "user" });
  add({ type: "message.started", replyTo: "u" });
  talk(0, PARTS);
  const before = used();
  talk(PARTS, 2 * PARTS);
  const grown = used() - before;
  // Ids alone are a few hundred kilobytes; what was said is more than forty megabytes.
  expect(grown, "bytes that a view keeps of what is finished").toBeLessThan(8 * 1024 * 1024);
  // Else it could be collected before it was measured.
  add({ type: "text.start", part: "last" });
}
