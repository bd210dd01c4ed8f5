/** Contract: what append promises. */
import { describe, expect, it } from "vitest";
import type { OpenStore } from "../store-contract.ts";
import { SampleSession, sampleMessage } from "./sample-session.ts";

export function appendContract(open: OpenStore): void {
  describe("append", () => {
    it("creates a session that was unknown", async () => {
      const { store } = await open();
      expect(await store.getSession("a")).toBeUndefined();
      expect(await store.loadState("a")).toBeUndefined();
      const sample = new SampleSession("a", { title: "First", metadata: { tags: ["x"] }, model: "m" });
      await store.append([sample.batch({ events: 2, raws: 1 })]);
      expect(await store.getSession("a")).toEqual(sample.row);
      expect(await store.loadState("a")).toEqual({ row: sample.row, snapshot: undefined });
    });

    it("replaces the row and keeps the snapshot until the next one", async () => {
      const { store } = await open();
      const sample = new SampleSession("a");
      await store.append([sample.batch({ events: 1, snapshot: { seq: 1, json: '{"s":1}' } })]);
      await store.append([
        sample.batch({ events: 1, row: { title: "Later", status: "running", updatedAt: 2000 } }),
      ]);
      expect(await store.loadState("a")).toEqual({ row: sample.row, snapshot: { seq: 1, json: '{"s":1}' } });
      await store.append([
        sample.batch({ row: { title: undefined }, snapshot: { seq: 2, json: '{"s":2}' } }),
      ]);
      expect(await store.loadState("a")).toEqual({ row: sample.row, snapshot: { seq: 2, json: '{"s":2}' } });
    });

    it("keeps which prompt is being prepared, until an append has none", async () => {
      const { store, reopen } = await open();
      const preparing = { message: "ü\u0000\ud800", daemon: "d", run: "r", deaths: 0 };
      const sample = new SampleSession("a");
      await store.append([sample.batch({ events: 1, preparing })]);
      expect((await store.loadState("a"))?.preparing).toEqual(preparing);
      await store.append([sample.batch({ preparing: { ...preparing, deaths: 1 } })]);
      const later = (await reopen?.()) ?? store;
      expect((await later.loadState("a"))?.preparing).toEqual({ ...preparing, deaths: 1 });
      expect(await later.getSession("a")).toEqual(sample.row);
      await later.append([sample.batch()]);
      expect(await later.loadState("a")).toEqual({ row: sample.row, snapshot: undefined });
      expect((await later.check()).problems).toEqual([]);
    });

    it("refuses a batch that does not continue the log, and writes nothing of it", async () => {
      const { store } = await open();
      const good = new SampleSession("good");
      const bad = new SampleSession("bad");
      await store.append([good.batch({ events: 1 }), bad.batch({ events: 1, raws: 1 })]);
      const before = await store.listSessions({ limit: 10 });
      const lines = [
        { ...bad.batch({ events: 2 }), events: [] },
        { ...bad.batch({ raws: 2 }), raws: [] },
        new SampleSession("bad").batch({ events: 1 }),
        new SampleSession("bad").batch({ raws: 1 }),
        { ...new SampleSession("new").batch({ events: 1 }), session: "other" },
        { ...new SampleSession("new").batch(), events: [{ seq: 1, json: "{\n}" }] },
      ];
      for (const line of lines) {
        const fresh = new SampleSession("good", good.row);
        const first = {
          ...fresh.batch({ messages: [sampleMessage("m")] }),
          row: { ...good.row, title: "changed" },
        };
        await expect(store.append([first, line])).rejects.toThrow(/Session/);
        expect(await store.listSessions({ limit: 10 })).toEqual(before);
        expect(await store.getMessage("good", "m")).toBeUndefined();
      }
      await store.append([good.batch({ events: 1 })]);
      expect((await store.readEvents("good", 0, 10)).events).toEqual(good.events);
    });

    it("takes appends that were not waited for, in order", async () => {
      const { store } = await open();
      const sample = new SampleSession("a");
      const large = "x".repeat(100_000);
      await Promise.all([
        store.append([sample.batch({ events: 3, raws: [large] })]),
        store.append([sample.batch({ events: 2, raws: ["small"] })]),
        store.append([sample.batch({ events: 1, raws: [large] })]),
      ]);
      expect((await store.readEvents("a", 0, 10)).events).toEqual(sample.events);
      expect((await store.readRaws("a", 0, 10)).raws).toEqual(sample.raws);
    });

    it("does not share objects with its callers", async () => {
      const { store } = await open();
      const sample = new SampleSession("a", { metadata: { kept: true } });
      const batch = sample.batch({ raws: [{ event: "exit", code: 1 }] });
      await store.append([batch]);
      (batch.row.metadata as Record<string, unknown>).kept = false;
      (batch.raws[0]?.data as Record<string, unknown>).code = 2;
      const row = await store.getSession("a");
      expect(row?.metadata).toEqual({ kept: true });
      expect((await store.readRaws("a", 0, 1)).raws[0]?.data).toEqual({ event: "exit", code: 1 });
      row!.title = "mine";
      expect((await store.getSession("a"))?.title).toBeUndefined();
    });

    it("refuses appends after close, which may be called twice", async () => {
      const { store } = await open();
      const sample = new SampleSession("a");
      await store.append([sample.batch({ events: 1, seal: true })]);
      await Promise.all([store.close(), store.close()]);
      await store.close();
      await expect(store.append([sample.batch({ events: 1 })])).rejects.toThrow("closed");
    });
  });
}
