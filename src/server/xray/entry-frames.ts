/** What clients of each protocol get for an entry of the log: by the views that the protocols define, from the log alone. */
import { type EncodedEvent, eventOf } from "../../core/encoded-event.ts";
import type { SessionEvent } from "../../core/event.ts";
import type { SessionRow, Store } from "../../core/store.ts";
import type { TimeSlices } from "../../core/time-slices.ts";
import type { AnyDialect, Frame, View, ViewDefinition } from "../../dialects/dialect.ts";
import { eventFrame } from "../../protocol/sse-frame.ts";
import { findOpenTurn } from "../streams/find-open-turn.ts";
import type { LogEntry } from "./find-entry.ts";
import { MAX_TEXT_LENGTH } from "./text-limit.ts";

/** A view has to see the turn from its beginning on. */
const MAX_TURN_EVENTS = 50_000;
const PAGE = 1000;
const PAGE_BYTES = 512 * 1024;
const MAX_FRAMES = 1000;

interface XrayFrame {
  seq: number;
  text: string;
  leftOut?: number;
}

interface DialectFrames {
  dialect: string;
  description: string;
  frames: XrayFrame[];
}

interface Log {
  store: Pick<Store, "readEvents" | "getMessage">;
  slices: TimeSlices;
}

export async function readEntryFrames(
  log: Log,
  row: SessionRow,
  { events }: LogEntry,
  dialects: readonly AnyDialect[],
): Promise<{ frames: DialectFrames[]; framesLeftOut?: true }> {
  const own = {
    dialect: "v1",
    description: "Server-sent events of /v1",
    frames: events.map(({ seq, json }) => xrayFrame(seq, eventFrame(seq, json))),
  };
  const first = events[0]!.seq;
  const from = await findBeginning(log, row.id, first, events);
  if (first - from > MAX_TURN_EVENTS) return { frames: [own], framesLeftOut: true };
  const shown = dialects.map(({ name, description, view }) => ({
    view: viewOf(view, row),
    told: { dialect: name, description, frames: [] as XrayFrame[] },
  }));
  for await (const encoded of readBetween(log, row.id, from, events.at(-1)!.seq)) {
    const event = eventOf(encoded);
    for (const { view, told } of shown) {
      const frames = view.add(event);
      if (event.seq < first) continue;
      const room = MAX_FRAMES - told.frames.length;
      told.frames.push(...frames.slice(0, room).map(({ text }) => xrayFrame(event.seq, text)));
    }
  }
  return { frames: [own, ...shown.map(({ told }) => told)] };
}

function xrayFrame(seq: number, text: string): XrayFrame {
  if (text.length <= MAX_TEXT_LENGTH) return { seq, text };
  return { seq, text: text.slice(0, MAX_TEXT_LENGTH), leftOut: text.length - MAX_TEXT_LENGTH };
}

function viewOf(view: ViewDefinition, { id, agent, createdAt, cwd }: SessionRow): View {
  if (view.scope === "message") return new EveryMessage(view, agent);
  return view.inspect?.({ id, createdAt, cwd }) ?? view.create();
}

/** One assistant message after the other, in the first format. */
class EveryMessage implements View {
  readonly #definition: Extract<ViewDefinition, { scope: "message" }>;
  readonly #agent: string;
  #view: View | undefined;

  constructor(definition: Extract<ViewDefinition, { scope: "message" }>, agent: string) {
    this.#definition = definition;
    this.#agent = agent;
  }

  add(event: SessionEvent): readonly Frame[] {
    const frames = this.#view?.add(event) ?? [];
    if (event.type !== "message.started") return frames;
    this.#view = this.#definition.formats[0]?.createView({ agent: this.#agent });
    return [...frames, ...(this.#view?.add(event) ?? [])];
  }
}

/** The seq before the prompt of the turn that the entry belongs to was accepted, or before the turn; else before the entry. */
async function findBeginning(
  log: Log,
  session: string,
  first: number,
  events: readonly EncodedEvent[],
): Promise<number> {
  const turn = await findOpenTurn(log, session, first - 1);
  const { events: begun } = await log.store.readEvents(session, turn, 20, PAGE_BYTES);
  const near = [...begun, ...events].map(eventOf);
  const prompt = near.find((event) => event.type === "prompt.dispatched" && event.seq <= events.at(-1)!.seq);
  if (prompt?.message === undefined) return turn;
  const accepted = await log.store.getMessage(session, prompt.message);
  return Math.min(turn, (accepted?.firstSeq ?? turn + 1) - 1);
}

async function* readBetween(
  { store, slices }: Log,
  session: string,
  after: number,
  last: number,
): AsyncGenerator<EncodedEvent, void> {
  for (let cursor = after; cursor < last; ) {
    const { events } = await store.readEvents(session, cursor, Math.min(PAGE, last - cursor), PAGE_BYTES);
    if (events.length === 0) return;
    for (const event of events) {
      yield event;
      await slices.pause();
    }
    cursor = events.at(-1)!.seq;
  }
}
