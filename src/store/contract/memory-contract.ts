/** Contract: what is kept beside the log, in parts and pieces. */
import { describe, expect, it } from "vitest";
import { cutMemory, MEMORY_PIECE_BYTES, type MemoryPiece } from "../../core/memory-piece.ts";
import type { Store } from "../../core/store.ts";
import type { OpenStore } from "../store-contract.ts";
import { SampleSession } from "./sample-session.ts";

export function memoryContract(open: OpenStore): void {
  describe("memory", () => {
    it("keeps pieces in the order of each part, over a reopening", async () => {
      const { store, reopen } = await open();
      const sample = new SampleSession("a");
      await store.append([
        sample.batch({ events: 1, memory: [piece("b", 1, "b1"), piece("a", 1, "a1"), piece("a", 2, "a2")] }),
      ]);
      await store.append([sample.batch({ events: 1, memory: [piece("b", 2, "b2")] })]);
      const expected = ["a 1 a1", "a 2 a2", "b 1 b1", "b 2 b2"];
      expect(await list(store, "a")).toEqual(expected);
      expect(await list(store, "a", "b")).toEqual(expected.slice(2));
      expect(await list(store, "a", "c")).toEqual([]);
      expect(await list(store, "unknown")).toEqual([]);
      if (reopen) expect(await list(await reopen(), "a")).toEqual(expected);
    });

    it("gives a part with those below it", async () => {
      const { store } = await open();
      const names = ["a", "a-", "a/", "a/b", "a/b/c", "a0", "ab", "b/a"];
      const memory = names.flatMap((name) => [piece(name, 1, "1"), piece(name, 2, "2")]);
      await store.append([new SampleSession("a").batch({ memory })]);
      const below = ["a", "a/", "a/b", "a/b/c"].flatMap((name) => [`${name} 1 1`, `${name} 2 2`]);
      expect(await list(store, "a", "a")).toEqual(below);
      expect(await list(store, "a", "a/b")).toEqual(below.slice(4));
    });

    it("takes any bytes, and parts of any name", async () => {
      const { store } = await open();
      const sample = new SampleSession("a");
      const bytes = Uint8Array.from({ length: 70_000 }, (_, index) => (index * 7919) % 256);
      const names = ["projects/-tmp-ä/é.jsonl", "nul\0", "a b"];
      await store.append([sample.batch({ memory: names.map((part) => ({ part, seq: 1, data: bytes })) })]);
      const found = await collect(store.readMemory("a"));
      expect(found.map(({ part }) => part).sort()).toEqual([...names].sort());
      for (const { data } of found) expect(Buffer.compare(data, bytes)).toBe(0);
    });

    it("replaces the earlier pieces of a part, and removes it", async () => {
      const { store } = await open();
      const sample = new SampleSession("a");
      const other = new SampleSession("other");
      await store.append([
        sample.batch({ memory: [piece("p", 1, "one"), piece("p", 2, "two"), piece("q", 1, "stays")] }),
        other.batch({ memory: [piece("p", 1, "of another session")] }),
      ]);
      await store.append([
        sample.batch({
          events: 1,
          memory: [piece("p", 3, "never seen"), piece("p", 4, "whole", true), piece("p", 5, "more")],
        }),
      ]);
      expect(await list(store, "a")).toEqual(["p 4 whole", "p 5 more", "q 1 stays"]);
      await store.append([sample.batch({ memory: [piece("p", 5, "other")] })]);
      expect(await list(store, "a", "p")).toEqual(["p 4 whole", "p 5 other"]);
      await store.append([sample.batch({ memory: [piece("p", 5, "", true)] })]);
      expect(await list(store, "a")).toEqual(["q 1 stays"]);
      expect(await list(store, "other")).toEqual(["p 1 of another session"]);
    });

    it("reads more pieces than a page has", async () => {
      const { store } = await open();
      const sample = new SampleSession("a");
      const pieces = Array.from({ length: 25 }, (_, n) => piece(n % 2 ? "odd" : "even", n, `${n}`));
      await store.append([sample.batch({ memory: pieces })]);
      const found = await list(store, "a");
      expect(found).toHaveLength(25);
      expect(found[0]).toBe("even 0 0");
      expect(found.at(-1)).toBe("odd 23 23");
    });

    it("gives all parts as they were at one moment, whatever is replaced meanwhile", async () => {
      const { store } = await open();
      const sample = new SampleSession("a");
      const both = (from: number, text: string, replaces = false) =>
        ["p", "q"].flatMap((part) =>
          Array.from({ length: 20 }, (_, n) => piece(part, from + n, `${text} ${n}`, replaces && n === 0)),
        );
      await store.append([sample.batch({ memory: both(1, "old") })]);
      const former = await list(store, "a");
      const reading = store.readMemory("a")[Symbol.asyncIterator]();
      const found: MemoryPiece[] = [];
      for (let next = await reading.next(); !next.done; next = await reading.next()) {
        found.push(next.value);
        if (found.length === 3) await store.append([sample.batch({ memory: both(30, "new", true) })]);
      }
      expect(found.map(asText)).toEqual(former);
      expect(await list(store, "a", "q")).toEqual(both(30, "new").slice(20).map(asText));
      // One that is not read to its end keeps nothing.
      for await (const first of store.readMemory("a")) {
        expect(asText(first)).toBe("p 30 new 0");
        break;
      }
      await store.append([sample.batch({ events: 1 })]);
    });

    it("removes it with the session", async () => {
      const { store } = await open();
      await store.append([new SampleSession("a").batch({ memory: [piece("p", 1, "one")] })]);
      await store.deleteSession("a");
      await store.append([new SampleSession("a").batch({ events: 1 })]);
      expect(await list(store, "a")).toEqual([]);
      expect((await store.check()).problems).toEqual([]);
    });

    it("refuses pieces that are too large, which can be cut", async () => {
      const { store } = await open();
      const data = Buffer.alloc(2 * MEMORY_PIECE_BYTES + 1, "x");
      const whole = new SampleSession("a").batch({ memory: [{ part: "p", seq: 1, data }] });
      await expect(store.append([whole])).rejects.toThrow("a piece of");
      expect(await store.getSession("a")).toBeUndefined();
      const memory = cutMemory("p", 3, data, { replaces: true });
      await store.append([new SampleSession("a").batch({ memory })]);
      const found = await collect(store.readMemory("a"));
      expect(found.map(({ seq }) => seq)).toEqual([3, 4, 5]);
      expect(Buffer.concat(found.map((piece) => piece.data)).equals(data)).toBe(true);
    });
  });
}

function piece(part: string, seq: number, text: string, replaces = false): MemoryPiece {
  return { part, seq, data: Buffer.from(text), ...(replaces && { replaces }) };
}

async function list(store: Store, session: string, part?: string): Promise<string[]> {
  const found = await collect(store.readMemory(session, part));
  return found.map(asText);
}

function asText({ part, seq, data }: MemoryPiece): string {
  return `${part} ${seq} ${Buffer.from(data).toString()}`;
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}
