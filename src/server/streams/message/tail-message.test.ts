import fc from "fast-check";
import { pino } from "pino";
import { describe, expect, it } from "vitest";
import type { EncodedEvent } from "../../../core/encoded-event.ts";
import type { SessionEvent } from "../../../core/event.ts";
import { TimeSlices } from "../../../core/time-slices.ts";
import { waitingFor } from "../../../core/waiting-for.ts";
import { assistantMessages, liveChunks } from "../../../dialects/ai-sdk/expect-consistent.test-support.ts";
import { askOf, joinSegments, splitSegments } from "../../../dialects/ai-sdk/segments.ts";
import { DONE_FRAME, toSseFrame } from "../../../dialects/ai-sdk/sse.ts";
import { messageFormat } from "../../../dialects/ai-sdk/view.ts";
import type { WantedMessage } from "../../../dialects/dialect.ts";
import { begin, text } from "../../../testkit/conversation.ts";
import { randomLog } from "../../../testkit/random-log.ts";
import { Presence } from "../../people/presence.ts";
import { CloseListeners } from "../close-listeners.ts";
import type { EventStream } from "../event-stream.ts";
import { FanOut } from "../fan-out.ts";
import type { Frame } from "../frame.ts";
import { LogSlice } from "../log-slice.ts";
import { MessageSearch } from "./message-search.ts";
import { MessageTracks } from "./message-tracks.ts";
import { tailMessage } from "./tail-message.ts";

/** A stream that is filled and drained by hand. */
class Socket {
  isFull = false;
  isOpen = true;
  text = "";
  readonly frames: Frame[] = [];
  readonly #drains = new Set<() => void>();
  readonly #closes = new CloseListeners();

  write(frame: Frame): void {
    this.frames.push(frame);
    this.text += frame.plain.toString();
  }

  writeText(text: string): void {
    this.text += text;
  }

  onDrain(listener: () => void): () => void {
    this.#drains.add(listener);
    return () => this.#drains.delete(listener);
  }

  onClose(listener: () => void): () => void {
    return this.#closes.add(listener);
  }

  end(): void {
    this.isOpen = false;
    this.#closes.close();
  }

  drain(): void {
    this.isFull = false;
    for (const listener of [...this.#drains]) listener();
  }
}

const FROM_THE_START: Pick<WantedMessage, "from" | "facts"> = { from: 1, facts: {} };

class World {
  readonly tracks = new MessageTracks();
  readonly sockets: Socket[] = [];
  readonly fanOut: FanOut;
  readonly #log: EncodedEvent[];
  #head = 0;
  /** Committed, and told to nobody yet. */
  #news: EncodedEvent[] = [];
  readonly #listeners = new Set<(events: readonly EncodedEvent[]) => void>();

  constructor(log: readonly SessionEvent[], recentBytes: number) {
    this.#log = log.map((event) => ({ seq: event.seq, json: JSON.stringify(event) }));
    this.fanOut = new FanOut({
      engine: {
        follow: (_, listener) => {
          this.#listeners.add(listener);
          return { stop: () => this.#listeners.delete(listener) };
        },
      },
      store: {
        readEvents: async (_, after) => ({
          events: this.#log.slice(after, Math.min(after + 4, this.#head)),
          head: this.#head,
        }),
        health: () => ({ damagedSessions: [] }),
      },
      slices: new TimeSlices(Number.POSITIVE_INFINITY),
      presence: new Presence(),
      limits: {
        maxStreams: 100,
        keepAliveMs: 100_000,
        pageBytes: 1,
        recentBytes,
        recentBytesOverall: 1_000_000,
      },
    });
  }

  /** Readers at another node may hear of it later, together with the next one, or not at all. */
  commit(count: number, news: "told" | "late" | "lost" = "told"): void {
    const events = this.#log.slice(this.#head, this.#head + count);
    this.#head += events.length;
    this.#news = news === "lost" ? [] : [...this.#news, ...events];
    if (news === "told") this.#tell(this.#news);
  }

  /** The store is asked for the newest event. */
  check(): void {
    this.#tell(this.#log.slice(this.#head - 1, this.#head));
  }

  #tell(events: readonly EncodedEvent[]): void {
    this.#news = [];
    if (events.length > 0) for (const listener of this.#listeners) listener(events);
  }

  /** Whoever looked the message up, once it has begun, begins with its first event and knows its session. */
  lookUp(message: string): Pick<WantedMessage, "from" | "facts"> {
    const { found, session } = searched(message, this.#log.slice(0, this.#head));
    return found ? { from: found.seq, facts: session } : FROM_THE_START;
  }

  /** With `withRaws` something is read for each slice before it is sent. */
  read(message: string, withRaws = false, place = FROM_THE_START): Socket {
    const socket = new Socket();
    this.sockets.push(socket);
    tailMessage(
      {
        fanOut: this.fanOut,
        stream: socket as unknown as EventStream,
        logger: pino({ level: "silent" }),
        tracks: this.tracks,
        ...(withRaws && { prepare }),
      },
      { session: "s", message, ...place, format: messageFormat(), withRaws },
      { segments: 0, frames: 0 },
    );
    return socket;
  }
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

async function prepare(slice: LogSlice): Promise<LogSlice> {
  await settle();
  return new LogSlice([...slice.events]);
}

function searched(message: string, events: readonly EncodedEvent[]): MessageSearch {
  const search = new MessageSearch(message, {});
  search.look(events);
  return search;
}

type Step =
  | { do: "commit"; count: number; news: "told" | "late" | "lost" }
  | { do: "read"; withRaws: boolean; isLookedUp: boolean }
  | { do: "fill" | "drain"; which: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("commit" as const),
      count: fc.integer({ min: 1, max: 9 }),
      news: fc.constantFrom("told", "told", "late", "lost"),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("read" as const),
      withRaws: fc.boolean(),
      isLookedUp: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom("fill" as const, "drain" as const), which: fc.nat(3) }),
  },
);

describe("readers of a message", () => {
  it("whose beginning is not in the store are ended: they would wait for ever", async () => {
    const { log } = begin();
    const world = new World(log, 1000);
    world.commit(log.length);
    const gone = { from: log.length + 1, facts: {} };
    const socket = world.read("a message of another log", false, gone);
    for (let round = 0; round < 5; round += 1) await settle();
    expect(socket.isOpen).toBe(false);
    // Another reader keeps the session in memory, so that the end of its log is known.
    const other = world.read("a message that does not begin");
    await settle();
    const second = world.read("a message of another log", false, gone);
    for (let round = 0; round < 5; round += 1) await settle();
    expect([other.isOpen, second.isOpen]).toEqual([true, false]);
    world.fanOut.close();
  });

  it("whose prompt waits for a lost node are ended, and those whose prompt has begun since are not", async () => {
    const waiting = { type: "notice", level: "warning", code: "files", text: "It waits." } as const;
    const conversation = begin()
      .act((machine) => machine.acceptPrompt("waiting", [{ type: "text", text: "hello" }], "queue"))
      .act((machine) => machine.detach("crash"))
      .agent({ ...waiting, data: waitingFor("node", "a") });
    const { log } = conversation;
    const accepted = log.findLast(({ type }) => type === "prompt.accepted")!.seq;
    const before = log.length;
    conversation.act((machine) => machine.dispatch("waiting"));
    const world = new World(log, 1000);
    world.commit(before);
    const place = { from: accepted, facts: {} };
    const first = world.read("waiting", false, place);
    for (let round = 0; round < 5; round += 1) await settle();
    expect(first.isOpen).toBe(false);
    world.commit(log.length);
    const second = world.read("waiting", false, place);
    for (let round = 0; round < 5; round += 1) await settle();
    expect(second.isOpen).toBe(true);
    world.fanOut.close();
  });

  it("whose beginning is in the store, and is told here later, are not ended", async () => {
    const { log } = begin();
    const world = new World(log, 1000);
    world.commit(log.length - 1);
    const other = world.read("a message that does not begin");
    await settle();
    world.commit(1, "late");
    const socket = world.read("a message that does not begin", false, { from: log.length, facts: {} });
    for (let round = 0; round < 5; round += 1) await settle();
    expect([other.isOpen, socket.isOpen]).toEqual([true, true]);
    world.fanOut.close();
  });

  it("get whole segments of it and nothing twice, however slow they are, whenever they come and whatever they are told", async () => {
    await fc.assert(
      fc.asyncProperty(
        randomLog,
        fc.array(step, { maxLength: 30 }),
        fc.nat(),
        fc.constantFrom(0, 800, 100_000),
        async (log, steps, chosen, recentBytes) => {
          const messages = assistantMessages(log);
          const message = messages[chosen % messages.length];
          if (message === undefined) return;
          const world = new World(log, recentBytes);
          world.commit(1);
          world.read(message);
          for (const { ...next } of steps) {
            const socket = "which" in next ? world.sockets[next.which % world.sockets.length] : undefined;
            if (next.do === "commit") world.commit(next.count, next.news);
            else if (next.do === "read")
              world.read(message, next.withRaws, next.isLookedUp ? world.lookUp(message) : FROM_THE_START);
            else if (next.do === "drain") socket?.drain();
            else if (socket) socket.isFull = true;
            await settle();
          }
          world.commit(log.length);
          world.check();
          const last = world.read(message);
          for (const socket of world.sockets) socket.drain();
          for (let round = 0; round < 60; round += 1) await settle();

          const search = searched(
            message,
            log.map((event) => ({ seq: event.seq, json: JSON.stringify(event) })),
          );
          const segments = splitSegments(liveChunks(log, message, search));
          const ends = segments.flatMap((segment, index) =>
            askOf(segment) !== undefined || index === segments.length - 1 ? [index + 1] : [],
          );
          const wholes = ends.map((end) =>
            [...joinSegments(segments.slice(0, end)).map(toSseFrame), DONE_FRAME].join(""),
          );
          for (const socket of world.sockets) {
            expect(socket.isOpen).toBe(false);
            expect(wholes).toContain(socket.text);
          }
          // Now everything is answered, so who comes last gets all of it.
          expect(last.text).toBe(wholes.at(-1));
          expect(world.tracks.size).toBe(0);
          world.fanOut.close();
        },
      ),
      { numRuns: 300 },
    );
  });

  it("share the bytes while they are level, and share them again after one was behind", async () => {
    const deltas = Array.from({ length: 40 }, (_, index) => `${index} `);
    const { log } = begin()
      .agent(...text("a", ...deltas))
      .end();
    const world = new World(log, 0);
    world.commit(8);
    const [message = ""] = assistantMessages(log);
    const [one, two] = [world.read(message), world.read(message)];
    await settle();
    world.commit(4);
    await settle();
    expect(one.frames).toHaveLength(1);
    expect(two.frames.at(-1)).toBe(one.frames.at(-1));

    // This one misses a few, and comes back when the others are further.
    two.isFull = true;
    for (let count = 0; count < 6; count += 1) {
      world.commit(2);
      await settle();
    }
    two.drain();
    for (let round = 0; round < 20; round += 1) await settle();
    expect(two.text).toBe(one.text);
    world.commit(3);
    await settle();
    expect(two.frames.at(-1)).toBe(one.frames.at(-1));
    world.commit(log.length);
    await settle();
    expect(two.text).toBe(one.text);
    expect(world.fanOut.counters.fellBehind).toBe(1);
    world.fanOut.close();
  });
});
