/** Contract: messages, asks, usage, and removing all of it. */
import { describe, expect, it } from "vitest";
import { MESSAGE_FOLD_VERSION } from "../../core/message-record.ts";
import type { AskRow, MessageQuery, UsageIncrement, UsageQuery, UsageRow } from "../../core/store.ts";
import type { OpenStore } from "../store-contract.ts";
import { SampleSession, sampleMessage } from "./sample-session.ts";

const increment: UsageIncrement = {
  day: "2026-01-31",
  usage: { input: 10, output: 5 },
  cost: 0.1,
  turns: 1,
  durationMs: 1500,
  waitedMs: 400,
  tools: 2,
  asks: 0,
  allowed: 1,
  denied: 0,
};

function sampleAsk(ask: string, row: Partial<AskRow> = {}): AskRow {
  return { ask, kind: "permission", state: "open", openedSeq: 1, openedAt: 1000, opened: "{}", ...row };
}

export function projectionContract(open: OpenStore): void {
  describe("messages", () => {
    it("gives the history in order, without waiting, withdrawn and rewound messages", async () => {
      const { store } = await open();
      const sample = new SampleSession("a");
      const messages = [
        sampleMessage("m2", { position: 2, role: "assistant", state: "streaming", turn: "t" }),
        sampleMessage("m1", { position: 1 }),
        sampleMessage("m3", { position: 3 }),
        sampleMessage("gone", { position: 4, rewoundAt: 9 }),
        sampleMessage("waits", { state: "queued" }),
        sampleMessage("withdrawn", { state: "withdrawn" }),
      ];
      await store.append([sample.batch({ events: 1, messages })]);
      const ids = async (query: { limit: number; before?: string }) => {
        const page = await store.listMessages("a", query);
        return [page.messages.map((message) => message.id).join(" "), page.hasMore];
      };
      expect(await ids({ limit: 10 })).toEqual(["m1 m2 m3", false]);
      expect(await ids({ limit: 2 })).toEqual(["m2 m3", true]);
      expect(await ids({ limit: 2, before: "m2" })).toEqual(["m1", false]);
      expect(await ids({ limit: 1, before: "m3" })).toEqual(["m2", true]);
      expect(await ids({ limit: 10, before: "waits" })).toEqual(["m1 m2 m3", false]);
      expect(await ids({ limit: 10, before: "unknown" })).toEqual(["", false]);
      for (const message of messages) expect(await store.getMessage("a", message.id)).toEqual(message);
      expect(await store.getMessage("a", "unknown")).toBeUndefined();
      expect(await store.getMessage("unknown", "m1")).toBeUndefined();
      expect(await store.listMessages("unknown", { limit: 1 })).toEqual({ messages: [], hasMore: false });
    });

    it("ends a page of large records early, the newest are in it, and never none", async () => {
      const { store } = await open();
      const messages = [1, 2, 3, 4].map((n) =>
        sampleMessage(`m${n}`, {
          position: n,
          foldVersion: MESSAGE_FOLD_VERSION,
          record: { id: `m${n}`, role: "user", at: n, text: "x".repeat(10_000) },
        }),
      );
      await store.append([new SampleSession("a").batch({ events: 1, messages })]);
      const ids = async (query: MessageQuery) => {
        const page = await store.listMessages("a", query);
        return [page.messages.map((message) => message.id).join(" "), page.hasMore];
      };
      expect(await ids({ limit: 10, maxBytes: 25_000 })).toEqual(["m3 m4", true]);
      expect(await ids({ limit: 10, maxBytes: 25_000, before: "m3" })).toEqual(["m1 m2", false]);
      expect(await ids({ limit: 10, maxBytes: 1 })).toEqual(["m4", true]);
      const bare = await store.listMessages("a", { limit: 10, maxBytes: 1, withoutRecords: true });
      expect(bare.messages.map(({ id, record }) => [id, record])).toEqual(
        messages.map(({ id }) => [id, undefined]),
      );
    });

    it("replaces a row as a whole and keeps its record", async () => {
      const { store } = await open();
      const sample = new SampleSession("a");
      const record = { id: "m", role: "assistant" as const, at: 5, replyTo: "u", text: "ä".repeat(200_000) };
      const done = sampleMessage("m", {
        position: 1,
        record,
        foldVersion: MESSAGE_FOLD_VERSION,
        request: "r",
        response: "s",
      });
      await store.append([
        sample.batch({ messages: [sampleMessage("m", { state: "queued", request: "r" })] }),
      ]);
      await store.append([sample.batch({ messages: [done] })]);
      expect(await store.getMessage("a", "m")).toEqual(done);
      expect((await store.listMessages("a", { limit: 1 })).messages).toEqual([done]);
      await store.append([sample.batch({ messages: [sampleMessage("m", { rewoundAt: 3 })] })]);
      expect(await store.getMessage("a", "m")).toEqual(sampleMessage("m", { rewoundAt: 3 }));
    });

    it("takes rewound messages out of the history and keeps those that came after", async () => {
      const { store } = await open();
      const sample = new SampleSession("a");
      const at = (id: string, seq: number) =>
        sampleMessage(id, { position: seq, firstSeq: seq, lastSeq: seq });
      await store.append([sample.batch({ events: 3, messages: [at("m1", 1), at("m2", 2), at("m3", 3)] })]);
      const waits = sampleMessage("waits", { state: "queued", firstSeq: 3, lastSeq: 3 });
      await store.append([
        sample.batch({ events: 2, messages: [waits, at("m5", 5)], rewound: [{ before: "m2", seq: 4 }] }),
      ]);
      const history = async () =>
        (await store.listMessages("a", { limit: 9 })).messages.map((message) => message.id);
      expect(await history()).toEqual(["m1", "m5"]);
      expect(await store.getMessage("a", "m2")).toEqual({ ...at("m2", 2), rewoundAt: 4 });
      expect(await store.getMessage("a", "m3")).toEqual({ ...at("m3", 3), rewoundAt: 4 });
      expect(await store.getMessage("a", "waits")).toEqual(waits);
      await store.append([sample.batch({ events: 1, rewound: [{ before: "m1", seq: 6 }] })]);
      expect(await history()).toEqual([]);
      expect((await store.getMessage("a", "m2"))?.rewoundAt).toBe(4);
    });

    it("drops the record of a message that got late content", async () => {
      const { store } = await open();
      const sample = new SampleSession("a");
      const record = { id: "m", role: "assistant" as const, at: 5 };
      const done = sampleMessage("m", { position: 1, turn: "t", record, foldVersion: MESSAGE_FOLD_VERSION });
      await store.append([sample.batch({ events: 1, messages: [done] })]);
      await store.append([sample.batch({ events: 1, amended: [{ message: "m", seq: 2 }] })]);
      expect(await store.getMessage("a", "m")).toEqual(
        sampleMessage("m", { position: 1, turn: "t", lastSeq: 2 }),
      );
    });

    it("leaves out a record of another fold version", async () => {
      const { store } = await open();
      const record = { id: "m", role: "user" as const, at: 5 };
      const old = sampleMessage("m", { position: 1, record, foldVersion: MESSAGE_FOLD_VERSION - 1 });
      await store.append([new SampleSession("a").batch({ messages: [old] })]);
      const { record: _, ...rest } = old;
      expect(await store.getMessage("a", "m")).toEqual(rest);
    });
  });

  describe("asks", () => {
    it("lists the open ones, oldest first, of all sessions or one", async () => {
      const { store } = await open();
      const a = new SampleSession("a");
      const b = new SampleSession("b");
      const late = sampleAsk("1", { openedAt: 3000, expiresAt: 9000 });
      const early = sampleAsk("1", { openedAt: 1000 });
      const answered = sampleAsk("2", { state: "answered", answered: '{"type":"ask.answered"}' });
      await store.append([
        a.batch({ events: 1, asks: [late, answered] }),
        b.batch({ events: 1, asks: [early] }),
      ]);
      const openAsks = async (session?: string) => (await store.openAsks({ session })).asks;
      expect(await openAsks()).toEqual([
        { ...early, session: "b" },
        { ...late, session: "a" },
      ]);
      expect(await openAsks("a")).toEqual([{ ...late, session: "a" }]);
      expect(await openAsks("unknown")).toEqual([]);
      expect(await store.getAsk("a", "2")).toEqual(answered);
      expect(await store.getAsk("b", "2")).toBeUndefined();
      const closed = sampleAsk("1", { state: "closed", outcome: "cancelled" });
      await store.append([b.batch({ asks: [closed] })]);
      expect(await openAsks("b")).toEqual([]);
      expect(await store.getAsk("b", "1")).toEqual(closed);
    });
  });

  describe("open asks in pages", () => {
    it("gives each once, in order, whatever is opened and closed between the pages", async () => {
      const { store } = await open();
      // Many at the same moment, in two sessions.
      const samples = ["a", "b"].map((id) => new SampleSession(id));
      const asks = Array.from({ length: 6 }, (_, n) =>
        sampleAsk(`${n}`, { openedSeq: n + 1, openedAt: 1000 + (n >> 1), opened: `"${"x".repeat(100)}"` }),
      );
      await store.append(samples.map((sample) => sample.batch({ events: 6, asks })));
      const all = (await store.openAsks()).asks.map(({ session, ask }) => `${session}${ask}`);
      expect(all).toHaveLength(12);
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await store.openAsks({ maxBytes: 250, cursor });
        expect(page.asks.length).toBeLessThanOrEqual(2);
        seen.push(...page.asks.map(({ session, ask }) => `${session}${ask}`));
        cursor = page.cursor;
        // Deletes one that was already shown.
        if (seen.length === 4)
          await store.append([samples[0]!.batch({ asks: [{ ...asks[0]!, state: "closed" }] })]);
      } while (cursor !== undefined);
      expect(seen).toEqual(all);
      const first = await store.openAsks({ session: "b", maxBytes: 1 });
      expect(first.asks.map(({ ask }) => ask)).toEqual(["0"]);
      const rest = await store.openAsks({ session: "b", cursor: first.cursor });
      expect(rest.asks.map(({ ask }) => ask)).toEqual(["1", "2", "3", "4", "5"]);
      expect(rest.cursor).toBeUndefined();
    });

    it("refuses a cursor of another list", async () => {
      const { store } = await open();
      await expect(store.openAsks({ cursor: "nonsense" })).rejects.toMatchObject({ code: "invalid_request" });
    });
  });

  describe("keys of client protocols", () => {
    it("are found where they were last given, apart for each dialect, until their session is deleted", async () => {
      const { store } = await open();
      const [a, b] = [new SampleSession("a"), new SampleSession("b")];
      await store.append([
        a.batch({ keys: [{ dialect: "one", key: "k", seq: 1 }] }),
        b.batch({ keys: [{ dialect: "two", key: "k", seq: 2 }] }),
      ]);
      expect(await store.findKey("one", "k")).toEqual({ session: "a", seq: 1 });
      expect(await store.findKey("two", "k")).toEqual({ session: "b", seq: 2 });
      expect(await store.findKey("two", "other")).toBeUndefined();
      await store.append([b.batch({ keys: [{ dialect: "one", key: "k", seq: 3 }] })]);
      expect(await store.findKey("one", "k")).toEqual({ session: "b", seq: 3 });
      await store.deleteSession("b");
      expect(await store.findKey("one", "k")).toEqual({ session: "a", seq: 1 });
      await store.append([new SampleSession("b").batch({})]);
      expect(await store.findKey("two", "k")).toBeUndefined();
      expect(await store.check()).toMatchObject({ ok: true });
    });
  });

  describe("a key that is moved", () => {
    it("is found at the session it was moved to last, and nowhere once that is deleted", async () => {
      const { store } = await open();
      const [a, b] = [new SampleSession("a"), new SampleSession("b")];
      const key = { dialect: "one", key: "current", seq: 1 };
      await store.append([a.batch({ keys: [key] }), b.batch({})]);
      await store.moveKey("b", key);
      expect(await store.findKey("one", "current")).toEqual({ session: "b", seq: 1 });
      await store.moveKey("a", { ...key, seq: 2 });
      await store.moveKey("b", key);
      await store.moveKey("unknown", key);
      expect(await store.findKey("one", "current")).toEqual({ session: "b", seq: 1 });
      await store.deleteSession("b");
      expect(await store.findKey("one", "current")).toBeUndefined();
      expect(await store.check()).toMatchObject({ ok: true });
    });
  });

  describe("usage", () => {
    it("stays at the largest number where it would grow past it", async () => {
      const { store } = await open();
      const sample = new SampleSession("a");
      const most = Number.MAX_SAFE_INTEGER;
      const much = {
        ...increment,
        usage: { input: most },
        cost: most / 1e9,
        turns: most,
        durationMs: most,
        waitedMs: most,
      };
      await store.append([sample.batch({ usage: [much] })]);
      await store.append([sample.batch({ usage: [much] })]);
      const {
        rows: [row],
      } = await store.usage({ limit: 10 });
      expect(row).toMatchObject({ usage: { input: most }, turns: most, durationMs: most, waitedMs: most });
      expect(row?.cost).toBe(most / 1e9);
    });

    it("adds up per model, an unknown one apart, page by page", async () => {
      const { store, reopen } = await open();
      const sample = new SampleSession("a", { cwd: "/work" });
      const large = { ...increment, model: "large, by name: 1.5" };
      await store.append([sample.batch({ usage: [increment, large] })]);
      await store.append([sample.batch({ usage: [large, { ...large, model: "small", denied: 3 }] })]);
      const later = (await reopen?.()) ?? store;
      const rows: UsageRow[] = [];
      let cursor: string | undefined;
      do {
        const page = await later.usage({ limit: 1, cursor });
        rows.push(...page.rows);
        cursor = page.cursor;
      } while (cursor !== undefined);
      expect(rows.map(({ model, turns, allowed, denied }) => [model, turns, allowed, denied])).toEqual([
        [undefined, 1, 1, 0],
        ["large, by name: 1.5", 2, 2, 0],
        ["small", 1, 1, 3],
      ]);
      expect(rows.every(({ directory }) => directory === "/work")).toBe(true);
      expect((await later.check()).problems).toEqual([]);
    });

    it("adds up per session and day, exactly", async () => {
      const { store } = await open();
      const a = new SampleSession("a", { agent: "claude" });
      const b = new SampleSession("b", { agent: "codex" });
      await store.append([
        a.batch({ usage: [increment, { ...increment, cost: 0.2, usage: { input: 1, cacheRead: 7 } }] }),
      ]);
      await store.append([b.batch({ usage: [{ ...increment, usage: {}, cost: 0 }] })]);
      await store.append([
        a.batch({ usage: [{ ...increment, day: "2026-02-01", durationMs: 0.5, waitedMs: 0 }] }),
      ]);
      const first = {
        session: "a",
        agent: "claude",
        day: "2026-01-31",
        usage: { input: 11, output: 5, cacheRead: 7 },
        cost: 0.3,
        turns: 2,
        durationMs: 3000,
        waitedMs: 800,
        tools: 4,
        asks: 0,
        allowed: 2,
        denied: 0,
        directory: "/tmp",
      };
      const second = { ...increment, session: "b", agent: "codex", directory: "/tmp", usage: {}, cost: 0 };
      const third = {
        ...increment,
        directory: "/tmp",
        session: "a",
        agent: "claude",
        day: "2026-02-01",
        durationMs: 0.5,
        waitedMs: 0,
      };
      const usage = async (query: Partial<UsageQuery>) => {
        const rows: UsageRow[] = [];
        // With a limit of one, so that each is a page.
        for (
          let cursor: string | undefined, isFirst = true;
          isFirst || cursor !== undefined;
          isFirst = false
        ) {
          const page = await store.usage({ ...query, limit: 1, cursor });
          rows.push(...page.rows);
          cursor = page.cursor;
        }
        expect((await store.usage({ ...query, limit: 100 })).rows).toEqual(rows);
        return rows;
      };
      expect(await usage({})).toEqual([first, third, second]);
      expect(await usage({ session: "a" })).toEqual([first, third]);
      expect(await usage({ agent: "codex" })).toEqual([second]);
      expect(await usage({ from: "2026-02-01" })).toEqual([third]);
      expect(await usage({ to: "2026-01-31", session: "a" })).toEqual([first]);
    });
  });

  describe("deleteSession", () => {
    it("removes everything of the session and nothing else", async () => {
      const { store } = await open();
      const content = {
        events: 3,
        raws: ["x".repeat(100_000)],
        messages: [sampleMessage("m", { position: 1 })],
        asks: [sampleAsk("1")],
        usage: [increment],
        snapshot: { seq: 3, json: "{}" },
        searchText: "words",
      };
      const kept = new SampleSession("kept");
      await store.append([new SampleSession("a").batch({ ...content, seal: true }), kept.batch(content)]);
      expect(await store.deleteSession("a")).toBe(true);
      expect(await store.deleteSession("a")).toBe(false);
      expect(await store.getSession("a")).toBeUndefined();
      expect(await store.readEvents("a", 0, 10)).toEqual({ events: [], head: 0 });
      expect(await store.getMessage("a", "m")).toBeUndefined();
      expect((await store.openAsks()).asks.map((ask) => ask.session)).toEqual(["kept"]);
      expect((await store.usage({ limit: 10 })).rows.map((row) => row.session)).toEqual(["kept"]);
      expect((await store.listSessions({ limit: 10, search: "words" })).sessions).toHaveLength(1);

      const again = new SampleSession("a");
      await store.append([again.batch({ events: 2 })]);
      expect(await store.readEvents("a", 0, 10)).toEqual({ events: again.events, head: 2 });
      expect((await store.readRaws("a", 0, 10)).raws).toEqual([]);
      expect(await store.loadState("a")).toEqual({ row: again.row, snapshot: undefined });
      expect((await store.readRaws("kept", 0, 10)).raws).toEqual(kept.raws);
      expect(await store.check()).toEqual({ ok: true, sessions: 2, events: 5, problems: [] });
    });
  });
}
