/** Contract: listing, filtering and finding sessions. */
import { describe, expect, it } from "vitest";
import type { ListQuery, Store } from "../../core/store.ts";
import type { OpenStore } from "../store-contract.ts";
import { SampleSession } from "./sample-session.ts";

export function listContract(open: OpenStore): void {
  describe("listSessions", () => {
    it("lists the last changed first, page by page", async () => {
      const { store } = await open();
      // Two of each time: ties must not lose or repeat a session.
      const samples = Array.from(
        { length: 10 },
        (_, n) => new SampleSession(`s${n}`, { updatedAt: 1000 + (n >> 1) }),
      );
      await store.append(samples.map((sample) => sample.batch()));
      const pages = await allPages(store, { limit: 3 });
      expect(pages.map((page) => page.length)).toEqual([3, 3, 3, 1]);
      expect(pages.flat()).toEqual(samples.map((sample) => sample.id).reverse());
      expect((await store.listSessions({ limit: 10 })).cursor).toBeUndefined();
      expect((await store.listSessions({ limit: 10 })).sessions[0]).toEqual(samples[9]?.row);
    });

    it("keeps its place while sessions change, appear and go", async () => {
      const { store } = await open();
      const samples = Array.from(
        { length: 9 },
        (_, n) => new SampleSession(`s${n}`, { updatedAt: 1000 + n }),
      );
      await store.append(samples.map((sample) => sample.batch()));
      const first = await store.listSessions({ limit: 3 });
      expect(first.sessions.map((row) => row.id)).toEqual(["s8", "s7", "s6"]);
      await store.append([
        samples[7]!.batch({ events: 1, row: { updatedAt: 5000 } }),
        samples[4]!.batch({ events: 1, row: { updatedAt: 6000 } }),
        new SampleSession("new", { updatedAt: 7000 }).batch(),
      ]);
      await store.deleteSession("s6");
      const rest = await allPages(store, { limit: 3, cursor: first.cursor });
      expect(rest.flat()).toEqual(["s5", "s3", "s2", "s1", "s0"]);
      expect((await store.listSessions({ limit: 3 })).sessions.map((row) => row.id)).toEqual([
        "new",
        "s4",
        "s7",
      ]);
    });

    it("ends a page that is too large early, but never before its first session", async () => {
      const { store } = await open();
      const metadata = { note: "x".repeat(10_000) };
      const samples = ["a", "b", "c", "d"].map(
        (id, n) => new SampleSession(id, { updatedAt: 1000 + n, metadata }),
      );
      await store.append(samples.map((sample) => sample.batch()));
      expect(await allPages(store, { limit: 10, maxBytes: 25_000 })).toEqual([
        ["d", "c"],
        ["b", "a"],
      ]);
      expect(await allPages(store, { limit: 3, maxBytes: 1 })).toEqual([["d"], ["c"], ["b"], ["a"]]);
      expect((await store.listSessions({ limit: 4, maxBytes: 100_000 })).cursor).toBeUndefined();
    });

    it("refuses a cursor it never gave", async () => {
      const { store } = await open();
      await expect(store.listSessions({ limit: 3, cursor: "nonsense" })).rejects.toMatchObject({
        code: "invalid_request",
      });
    });

    it("filters by agent and status", async () => {
      const { store } = await open();
      await store.append([
        new SampleSession("a", { agent: "claude", status: "idle" }).batch(),
        new SampleSession("b", { agent: "claude", status: "running" }).batch(),
        new SampleSession("c", { agent: "codex", status: "running" }).batch(),
      ]);
      const ids = (query: Partial<ListQuery>) => listIds(store, query);
      expect(await ids({ agent: "claude" })).toEqual(["a", "b"]);
      expect(await ids({ status: "running" })).toEqual(["b", "c"]);
      expect(await ids({ agent: "claude", status: "running" })).toEqual(["b"]);
      expect(await ids({ agent: "none" })).toEqual([]);
      expect(await allPages(store, { limit: 1, agent: "claude" })).toEqual([["b"], ["a"]]);
    });

    it("filters by directory, together with everything else", async () => {
      const { store } = await open();
      await store.append([
        new SampleSession("a", { cwd: "/one", agent: "claude", title: "Red" }).batch({ searchText: "" }),
        new SampleSession("b", { cwd: "/one", agent: "codex", status: "running" }).batch(),
        new SampleSession("c", { cwd: "/one/inner", agent: "claude" }).batch(),
        new SampleSession("d", { cwd: "/one", agent: "claude", status: "running" }).batch(),
      ]);
      const ids = (query: Partial<ListQuery>) => listIds(store, query);
      expect(await ids({ cwd: "/one" })).toEqual(["a", "b", "d"]);
      expect(await ids({ cwd: "/one/" })).toEqual([]);
      expect(await ids({ cwd: "/one", agent: "claude" })).toEqual(["a", "d"]);
      expect(await ids({ cwd: "/one", status: "running" })).toEqual(["b", "d"]);
      expect(await ids({ cwd: "/one", agent: "claude", status: "running" })).toEqual(["d"]);
      expect(await ids({ cwd: "/one", search: "red" })).toEqual(["a"]);
      expect(await allPages(store, { limit: 2, cwd: "/one" })).toEqual([["d", "b"], ["a"]]);
    });

    it("finds what works in a directory or below it, and not beside it", async () => {
      const { store } = await open();
      const directories = ["/one", "/one/inner", "/one/inner/most", "/one-more", "/one.", "/onE/inner", "/"];
      await store.append(directories.map((cwd, index) => new SampleSession(`s${index}`, { cwd }).batch()));
      const ids = (query: Partial<ListQuery>) => listIds(store, query);
      expect(await ids({ inside: "/one" })).toEqual(["s0", "s1", "s2"]);
      expect(await ids({ inside: "/one/inner" })).toEqual(["s1", "s2"]);
      expect(await ids({ inside: "/one", cwd: "/one/inner" })).toEqual(["s1"]);
      expect(await ids({ inside: "/" })).toHaveLength(directories.length);
      expect(await ids({ inside: "/one%" })).toEqual([]);
      expect(await allPages(store, { limit: 2, inside: "/one" })).toEqual([["s2", "s1"], ["s0"]]);
    });

    it("finds words of the title and of all prompts, whole or by their beginning", async () => {
      const { store } = await open();
      const parser = new SampleSession("fix-42", { title: "Fix the Parser" });
      const login = new SampleSession("login", { title: "Déjà vu" });
      await store.append([
        parser.batch({ searchText: "unicode escapes in strings" }),
        login.batch({ searchText: "OAuth" }),
      ]);
      await store.append([parser.batch({ searchText: "and now the lexer, AND quickly" }), login.batch()]);
      const find = (search: string) => listIds(store, { search });
      expect(await find("parser")).toEqual(["fix-42"]);
      expect(await find("PARS")).toEqual(["fix-42"]);
      expect(await find("lexer unicode fix")).toEqual(["fix-42"]);
      expect(await find("lexer oauth")).toEqual([]);
      expect(await find("deja")).toEqual(["login"]);
      expect(await find("")).toEqual(["fix-42", "login"]);
      for (const odd of ['"', "*", "a OR b", "NEAR(", "and:", "col:x", "' --"]) await find(odd);
    });

    it("finds a session by the beginning of its id", async () => {
      const { store } = await open();
      await store.append(["ses_01-abc", "ses_02-abd", "_x"].map((id) => new SampleSession(id).batch()));
      const find = (search: string) => listIds(store, { search });
      expect(await find("ses_01-abc")).toEqual(["ses_01-abc"]);
      expect(await find("ses_0")).toEqual(["ses_01-abc", "ses_02-abd"]);
      expect(await find("abd")).toEqual(["ses_02-abd"]);
      expect(await find("_")).toEqual(["_x"]);
    });

    it("forgets the words of a former title", async () => {
      const { store } = await open();
      const sample = new SampleSession("a", { title: "Before" });
      await store.append([sample.batch({ searchText: "kept" })]);
      await store.append([sample.batch({ row: { title: "After" } })]);
      expect(await listIds(store, { search: "before" })).toEqual([]);
      expect(await listIds(store, { search: "after kept" })).toEqual(["a"]);
      await store.append([sample.batch({ row: { title: undefined } })]);
      expect(await listIds(store, { search: "after" })).toEqual([]);
    });
  });

  describe("labels", () => {
    it("are kept with the session, filter lists, and go again", async () => {
      const { store, reopen } = await open();
      const plain = new SampleSession("plain");
      const pinned = new SampleSession("pinned", { pinned: true, cost: 0.1 });
      const both = new SampleSession("both", {
        pinned: true,
        archived: true,
        cost: 12.000000001,
        cutOffAt: 17,
      });
      await store.append([plain, pinned, both].map((sample) => sample.batch({ events: 1 })));
      for (const sample of [plain, pinned, both])
        expect(await store.getSession(sample.id)).toEqual(sample.row);
      expect(await listIds(store, {})).toEqual(["both", "pinned", "plain"]);
      expect(await listIds(store, { archived: false })).toEqual(["pinned", "plain"]);
      expect(await listIds(store, { archived: true })).toEqual(["both"]);
      expect(await listIds(store, { pinned: true })).toEqual(["both", "pinned"]);
      expect(await listIds(store, { pinned: false })).toEqual(["plain"]);
      expect(await listIds(store, { pinned: true, archived: false, agent: "mock" })).toEqual(["pinned"]);
      expect(await allPages(store, { pinned: true, limit: 1 })).toHaveLength(2);

      await store.append([
        plain.batch({ row: { archived: true, cost: 0.3, cutOffAt: 18 } }),
        both.batch({ row: { pinned: undefined, archived: undefined, cost: 13, cutOffAt: undefined } }),
      ]);
      const later = (await reopen?.()) ?? store;
      expect(await listIds(later, { archived: true })).toEqual(["plain"]);
      expect(await later.getSession("plain")).toMatchObject({ archived: true, cost: 0.3, cutOffAt: 18 });
      const { pinned: _pinned, archived: _archived, cutOffAt: _cutOffAt, ...rest } = both.row;
      expect(await later.getSession("both")).toEqual(rest);
    });
  });

  describe("unfinishedSessions", () => {
    it("names the sessions with an open turn, a waiting prompt, an open ask or an agent", async () => {
      const { store } = await open();
      const running = new SampleSession("running", { status: "running" });
      await store.append([
        new SampleSession("idle").batch(),
        running.batch(),
        new SampleSession("waiting", { status: "waiting" }).batch(),
        new SampleSession("recovering", { status: "recovering" }).batch(),
        new SampleSession("failed", { status: "failed" }).batch(),
        new SampleSession("queued", { status: "failed", queued: 1 }).batch(),
        new SampleSession("asks", { status: "closed", openAsks: 1 }).batch(),
        new SampleSession("attached", { status: "idle", attached: true }).batch(),
      ]);
      expect(await store.unfinishedSessions()).toEqual([
        "running",
        "waiting",
        "recovering",
        "queued",
        "asks",
        "attached",
      ]);
      await store.append([running.batch({ row: { status: "idle" } })]);
      expect(await store.unfinishedSessions()).not.toContain("running");
    });
  });
}

/** The ids of all sessions that match, in alphabetical order. */
async function listIds(store: Store, query: Partial<ListQuery>): Promise<string[]> {
  const { sessions } = await store.listSessions({ limit: 100, ...query });
  return sessions.map((row) => row.id).sort();
}

async function allPages(store: Store, query: ListQuery): Promise<string[][]> {
  const pages: string[][] = [];
  let cursor = query.cursor;
  do {
    const page = await store.listSessions({ ...query, cursor });
    pages.push(page.sessions.map((row) => row.id));
    cursor = page.cursor;
  } while (cursor);
  return pages;
}
