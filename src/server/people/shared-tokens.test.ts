import { pino } from "pino";
import { afterEach, expect, test } from "vitest";
import type { PeerNews } from "../../core/peer-news.ts";
import type { TokenRow } from "../../core/people-store.ts";
import { OWNER } from "../../core/rights.ts";
import { MemoryStore } from "../../store/memory/memory-store.ts";
import { until } from "../../testkit/until.ts";
import { SharedTokens, type SharedTokenTimes } from "./shared-tokens.ts";
import { TokenBook } from "./token-book.ts";

const logger = pino({ enabled: false });
const ANNA = { name: "anna", role: "participant", createdBy: "owner" } as const;

/** A store whose number rises with every change, and that can be away. */
class SharedStore extends MemoryStore {
  version = 1;
  versionReads = 0;
  isAway = false;
  /** Awaited after the tokens were read and before they are given. */
  held: Promise<void> | undefined;

  async tokensVersion(): Promise<number> {
    this.versionReads += 1;
    if (this.isAway) throw new Error("away");
    return this.version;
  }

  override async listTokens(): Promise<TokenRow[]> {
    const rows = await super.listTokens();
    await this.held;
    return rows;
  }

  override async addToken(row: TokenRow): Promise<void> {
    await super.addToken(row);
    this.version += 1;
  }

  override async removeToken(id: string): Promise<boolean> {
    this.version += 1;
    return super.removeToken(id);
  }
}

interface Node {
  book: TokenBook;
  shared: SharedTokens;
  ended: string[];
  faults: unknown[];
}

const nodes: Node[] = [];

afterEach(() => {
  for (const { book, shared } of nodes.splice(0)) {
    shared.close();
    book.close();
  }
});

/** @param canTell Whether nodes are told of changes, or have to look. */
async function open(
  store: SharedStore,
  times: Partial<SharedTokenTimes> = {},
  canTell = true,
): Promise<Node> {
  const listeners = new Set<() => void>();
  hearers.add(listeners);
  const news: Pick<PeerNews, "tell" | "listen"> = {
    tell: () => {
      if (canTell)
        for (const others of hearers) if (others !== listeners) for (const listener of others) listener();
    },
    listen: (_, listener) => {
      const own = () => listener({ node: 1, key: "", value: true });
      listeners.add(own);
      return () => listeners.delete(own);
    },
  };
  const book = await TokenBook.open({ store, ownToken: "own", logger });
  const faults: unknown[] = [];
  const onFault = (error: unknown) => faults.push(error);
  const shared = new SharedTokens({ book, store, news, onFault, times: { pollMs: 100_000, ...times } });
  const ended: string[] = [];
  book.onEnd((id) => ended.push(id));
  const node = { book, shared, ended, faults };
  nodes.push(node);
  return node;
}

const hearers = new Set<Set<() => void>>();

test("a token that another daemon made is looked up, and stays the same object", async () => {
  const store = new SharedStore();
  const [a, b] = [await open(store, {}, false), await open(store, {}, false)];
  await b.shared.check();
  const { token } = await a.book.create(ANNA);
  expect(b.shared.find(token)).toBeUndefined();
  const access = await b.shared.lookUp(token);
  expect(access).toMatchObject({ name: "anna", role: "participant" });
  expect(b.shared.find(token)).toBe(access);
  await b.shared.refresh();
  expect(b.shared.find(token)).toBe(access);
  // Each is looked up anew, however many were before.
  for (const name of ["bert", "carl"]) {
    const made = await a.book.create({ ...ANNA, name });
    expect(await b.shared.lookUp(made.token)).toMatchObject({ name });
  }
});

test("what is no token costs the store nothing, and many guesses cost little", async () => {
  const store = new SharedStore();
  const { shared } = await open(store);
  await shared.check();
  const before = store.versionReads;
  expect(await shared.lookUp("guess")).toBeUndefined();
  expect(store.versionReads).toBe(before);
  const guess = `itk_${"0".repeat(16)}_${"x".repeat(43)}`;
  const found = await Promise.all(Array.from({ length: 1000 }, () => shared.lookUp(guess)));
  expect(new Set(found)).toEqual(new Set([undefined]));
  expect(store.versionReads - before).toBeLessThan(10);
});

test("one that is revoked elsewhere ends at once where that is told, and soon where it is not", async () => {
  const store = new SharedStore();
  const a = await open(store);
  const b = await open(store);
  const c = await open(store, { pollMs: 5 });
  const { token, row } = await a.book.create(ANNA);
  for (const { shared } of [b, c]) expect(await shared.lookUp(token)).toBeDefined();
  const access = b.shared.find(token)!;
  await a.book.revoke(row.id);
  await until(() => b.ended.includes(row.id) && c.ended.includes(row.id));
  expect(b.shared.find(token)).toBeUndefined();
  expect(b.shared.isAccepted(access)).toBe(false);
});

test("tokens that are made and revoked while all are read are neither lost nor back again", async () => {
  const store = new SharedStore();
  const { book, shared, ended } = await open(store);
  await shared.check();
  const first = await book.create(ANNA);
  const { promise, resolve } = Promise.withResolvers<void>();
  store.held = promise;
  const reading = shared.refresh();
  await new Promise(setImmediate);
  await book.revoke(first.row.id);
  const second = await book.create({ ...ANNA, name: "bert" });
  store.held = undefined;
  resolve();
  await reading;
  expect(shared.find(first.token)).toBeUndefined();
  expect(shared.find(second.token)).toBeDefined();
  expect(ended).toEqual([first.row.id]);
});

test("while the store cannot be read tokens hold for a while, then only that of the daemon, then all again", async () => {
  const store = new SharedStore();
  const { book, shared, ended, faults } = await open(store, { pollMs: 5, trustMs: 150 });
  const { token, row } = await book.create(ANNA);
  const access = shared.find(token)!;
  store.isAway = true;
  await until(() => faults.length > 0);
  expect(shared.isAccepted(access)).toBe(true);
  await until(() => ended.includes(row.id));
  expect(() => shared.find(token)).toThrow(expect.objectContaining({ code: "store_busy" }));
  expect(shared.isAccepted(access)).toBe(false);
  expect(shared.find("own")).toBe(OWNER);
  expect(shared.isAccepted(OWNER)).toBe(true);
  store.isAway = false;
  await until(() => shared.isAccepted(access));
  expect(shared.find(token)).toBe(access);
});

test("when a token was last used elsewhere is known after a refresh", async () => {
  const store = new SharedStore();
  const [a, b] = [await open(store), await open(store)];
  const { row } = await a.book.create(ANNA);
  await store.noteTokenUse(row.id, 12_345);
  await b.shared.refresh();
  expect(b.book.list()).toMatchObject([{ id: row.id, lastUsedAt: 12_345 }]);
});
