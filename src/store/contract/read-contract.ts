/** Contract: reading events and raw records back. */
import { describe, expect, it } from "vitest";
import type { Store } from "../../core/store.ts";
import type { OpenStore } from "../store-contract.ts";
import { SampleSession } from "./sample-session.ts";

export function readContract(open: OpenStore): void {
  describe("readEvents", () => {
    it("gives an unknown session no events and head 0", async () => {
      const { store } = await open();
      expect(await store.readEvents("a", 0, 10)).toEqual({ events: [], head: 0 });
      expect(await store.readRaws("a", 0, 10)).toEqual({ raws: [], head: 0 });
    });

    it("pages by number, by bytes, and never gives none when there are some", async () => {
      const { store } = await open();
      const sample = new SampleSession("a");
      await store.append([sample.batch({ events: 5, seal: true })]);
      await store.append([sample.batch({ events: 5 })]);
      expect(await store.readEvents("a", 3, 4)).toEqual({ events: sample.events.slice(3, 7), head: 10 });
      expect(await store.readEvents("a", 10, 4)).toEqual({ events: [], head: 10 });
      expect(await store.readEvents("a", 99, 4)).toEqual({ events: [], head: 10 });
      const size = Buffer.byteLength(sample.events[0]!.json);
      expect((await store.readEvents("a", 0, 10, 2 * size)).events).toEqual(sample.events.slice(0, 2));
      expect((await store.readEvents("a", 0, 10, 2 * size - 1)).events).toEqual(sample.events.slice(0, 1));
      expect((await store.readEvents("a", 4, 10, 1)).events).toEqual(sample.events.slice(4, 5));
    });

    it("gives every text back unchanged", async () => {
      const { store, reopen } = await open();
      const texts = ["", "äöü €", "👩‍👩‍👧", "\u2028\u2029\u0000\r\n", "\ud800", '"\\', "x".repeat(300_000)];
      const sample = new SampleSession("a");
      await store.append([sample.batch({ events: texts, raws: texts, seal: true })]);
      await store.append([sample.batch({ events: texts, raws: texts })]);
      const expectAll = async (current: Store) => {
        expect((await current.readEvents("a", 0, 100)).events).toEqual(sample.events);
        expect((await current.readRaws("a", 0, 100)).raws).toEqual(sample.raws);
      };
      await expectAll(store);
      if (reopen) await expectAll(await reopen());
    });
  });

  describe("readRaws", () => {
    it("keeps both directions, process records and lines of stderr", async () => {
      const { store } = await open();
      const sample = new SampleSession("a");
      const data = [
        { event: "spawn" as const, pid: 1, argv: ["a", "b"] },
        '{"from":"agent"}',
        "{not json",
        { event: "stderr" as const, text: "warning" },
        { event: "exit" as const, code: null, signal: "SIGKILL" },
      ];
      await store.append([sample.batch({ raws: data.slice(0, 2) })]);
      await store.append([sample.batch({ events: 1, raws: data.slice(2), seal: true })]);
      await store.append([sample.batch({ raws: data })]);
      expect(sample.raws.map((raw) => raw.direction)).toEqual(
        expect.arrayContaining(["in", "out", "process"]),
      );
      expect(await store.readRaws("a", 0, 100)).toEqual({ raws: sample.raws, head: 10 });
      expect((await store.readRaws("a", 4, 3)).raws).toEqual(sample.raws.slice(4, 7));
    });

    it("keeps a record of 20 MB and counts it in full", async () => {
      const { store, reopen } = await open();
      const sample = new SampleSession("a");
      const line = JSON.stringify({ text: "0123456789".repeat(2_000_000) });
      await store.append([sample.batch({ events: 1, raws: ["small", line, "small"], seal: true })]);
      const current = (await reopen?.()) ?? store;
      const { raws } = await current.readRaws("a", 1, 10, 1_000_000);
      expect(raws.map((raw) => raw.rawSeq)).toEqual([2]);
      // Compared as a boolean, because a failing comparison would print 20 MB.
      expect(raws[0]?.data === line).toBe(true);
      expect((await current.readRaws("a", 0, 10, 1_000_000)).raws).toEqual(sample.raws.slice(0, 1));
      expect((await current.readRaws("a", 2, 10)).raws).toEqual(sample.raws.slice(2));
    });
  });
}
