/**
 * What has to hold of the view of any dialect over any log: a client that was cut off and went on has what one has that
 * was never cut off, whoever else reads, and whatever stands in the log that is not known yet.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect } from "vitest";
import type { SessionEvent } from "../../core/event.ts";
import type { Frame, MessageFrame, Resume, View, ViewDefinition } from "../../dialects/dialect.ts";
import { Random } from "../random.ts";
import { expectMarks } from "./expect-marks.ts";
import {
  type AnyTranscriptContract,
  expectTranscript,
  messageStory,
  type Story,
} from "./transcript-contract.ts";

export interface DialectContract {
  readonly view: ViewDefinition;
  /**
   * For views that resume by a cursor: the event after which a resumed one begins, as its handler passes it to
   * `SessionStreams.follow`. When absent it begins at the cursor and knows nothing of what came earlier.
   */
  from?(after: number, events: readonly SessionEvent[]): number;
  /** Only for a stream that passes on the log as it is. Views of dialects show nothing of unknown events. */
  readonly showsUnknown?: boolean;
  /** Reads frames as the real client does: those of a message, or of a session. Throws or rejects when it cannot. */
  read?(frames: readonly Frame[], events: readonly SessionEvent[]): void | Promise<void>;
  /** What its clients understand is what the log says, less what the dialect cannot say. */
  readonly transcripts?: readonly AnyTranscriptContract[];
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
  const { view } = contract;
  if (view.scope === "message") {
    const keys = view.formats.map(({ key }) => key);
    expect(new Set(keys).size, "formats of the same key write the same frames").toBe(keys.length);
  }
  for (const create of viewsOf(view)) {
    for (const events of storiesOf(view, log)) {
      const frozen = events.map(deepFreeze);
      const whole = framesOf(create(), frozen);
      if (view.scope === "message") expectMarks(frozen, whole as MessageFrame[][]);
      expect(framesOf(create(), stored(events)), "stored as live").toEqual(whole);
      expectUnknownPasses(create(), frozen, whole, { random, isShown: contract.showsUnknown ?? false });
      expectResumable(contract, create, frozen, whole, cutsOf(frozen.length, cuts, random));
      await contract.read?.(whole.flat(), events);
    }
  }
  for (const transcript of contract.transcripts ?? [])
    for (const story of transcript.stories?.(log) ?? viewedStories(view, log))
      await expectTranscript(transcript, story);
}

/** Each session or message as the view shows it, in every format. */
function* viewedStories(
  view: ViewDefinition,
  log: readonly SessionEvent[],
): Generator<Story<readonly Frame[]>> {
  for (const create of viewsOf(view))
    for (const events of storiesOf(view, log)) {
      const shown = framesOf(create(), events).flat();
      if (view.scope === "session") yield { shown, log };
      else yield messageStory(shown, log, events[0]!.message!);
    }
}

/** Every way in which the dialect writes a message or a session. */
function viewsOf(view: ViewDefinition): (() => View)[] {
  if (view.scope === "session") return [() => view.create()];
  return view.formats.map((format) => () => format.createView({}));
}

/** What the view is of: the session, or each assistant message from its beginning on. */
function storiesOf({ scope }: ViewDefinition, log: readonly SessionEvent[]): (readonly SessionEvent[])[] {
  if (scope === "session") return [log];
  return log.flatMap((event, place) => (event.type === "message.started" ? [log.slice(place)] : []));
}

/** The frames of each event. */
function framesOf(view: View, events: readonly SessionEvent[]): Frame[][] {
  return events.map((event) => [...view.add(event)]);
}

/** Frames up to a cut, then those after resuming, are the frames without the cut. */
function expectResumable(
  contract: DialectContract,
  create: () => View,
  events: readonly SessionEvent[],
  whole: readonly Frame[][],
  cuts: readonly number[],
): void {
  const { resume } = contract.view;
  if (resume === "none") return;
  // Both at once: one that remembers anything outside of itself is found out.
  const interrupted = create();
  const before: Frame[] = [];
  let place = 0;
  for (const cut of cuts) {
    for (; place < cut; place += 1) before.push(...interrupted.add(events[place]!));
    const after = RESUMED[resume](contract, create(), events, { cut, frames: before.length });
    expect([...before, ...after], `cut after ${cut} events`).toEqual(whole.flat());
  }
}

type Resumed = (
  contract: DialectContract,
  view: View,
  events: readonly SessionEvent[],
  has: { cut: number; frames: number },
) => Frame[];

/** The frames that the server sends to a client that resumes. */
const RESUMED: Readonly<Record<Exclude<Resume, "none">, Resumed>> = {
  cursor({ from }, view, events, { cut }) {
    const after = events[cut - 1]?.seq ?? 0;
    const begin = from?.(after, events) ?? after;
    return events
      .filter(({ seq }) => seq > begin)
      .flatMap((event) => {
        const frames = view.add(event);
        return event.seq > after ? [...frames] : [];
      });
  },
  replay: (_, view, events, { frames }) => framesOf(view, events).flat().slice(frames),
};

function cutsOf(length: number, most: number, random: Random): number[] {
  if (length <= most) return Array.from({ length: length + 1 }, (_, cut) => cut);
  return Array.from({ length: most }, () => random.integer(0, length)).sort((a, b) => a - b);
}

function stored(events: readonly SessionEvent[]): SessionEvent[] {
  return events.map((event) => JSON.parse(JSON.stringify(event)));
}

/** Events of a later version may stand anywhere. They show nothing, and what the others show does not change. */
function expectUnknownPasses(
  view: View,
  events: readonly SessionEvent[],
  whole: readonly Frame[][],
  { random, isShown }: { random: Random; isShown: boolean },
): void {
  for (const [place, event] of events.entries()) {
    expect([...view.add(event)], "with unknown events before it").toEqual(whole[place]);
    if (!random.chance(0.2)) continue;
    const { session, seq, at, turn, message } = event;
    const unknown = { session, seq, at, turn, message, type: "unknown.event", value: { text: "?" } };
    const shown = view.add(unknown as unknown as SessionEvent);
    if (!isShown) expect(shown, "an unknown event shows nothing").toEqual([]);
  }
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
  for (const create of viewsOf(view)) expectBoundedView(create());
}

function expectBoundedView(one: View): void {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
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
