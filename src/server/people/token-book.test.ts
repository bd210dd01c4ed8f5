import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { MAX_TOKENS } from "../../core/people-store.ts";
import { OWNER } from "../../core/rights.ts";
import { MemoryStore } from "../../store/memory/memory-store.ts";
import { until } from "../../testkit/until.ts";
import { type NewToken, TokenBook } from "./token-book.ts";

const logger = pino({ enabled: false });

let store: MemoryStore;
let time: number;
let book: TokenBook;
let ended: string[];

beforeEach(async () => {
  store = new MemoryStore();
  time = Date.now();
  book = await reopen();
});

afterEach(() => book.close());

async function reopen(): Promise<TokenBook> {
  const opened = await TokenBook.open({ store, ownToken: "the daemon's own", logger, now: () => time });
  ended = [];
  opened.onEnd((id) => ended.push(id));
  return opened;
}

function newToken(more: Partial<NewToken> = {}): NewToken {
  return { name: "anna", role: "participant", createdBy: "owner", ...more };
}

describe("a token", () => {
  it("is what it was made for, always by the same object, also after a restart", async () => {
    const { token, row } = await book.create(
      newToken({ sessions: ["s"], agents: ["mock"], expiresAt: time + 10 }),
    );
    const access = {
      token: row.id,
      name: "anna",
      role: "participant",
      sessions: ["s"],
      agents: ["mock"],
      expiresAt: time + 10,
    };
    expect(book.find(token)).toEqual(access);
    expect(book.find(token)).toBe(book.find(token));
    expect(book.find("the daemon's own")).toBe(OWNER);
    book.close();
    book = await reopen();
    expect(book.find(token)).toEqual(access);
  });

  it("of the daemon and its former one are the owner's, until the former one is left out", async () => {
    const logger = pino({ enabled: false });
    const open = async (formerToken?: string) => {
      const opened = await TokenBook.open({ store, ownToken: "new", formerToken, logger });
      onTestFinished(() => opened.close());
      return opened;
    };
    const both = await open("old");
    expect(["new", "old", "other"].map((token) => both.find(token))).toEqual([OWNER, OWNER, undefined]);
    const one = await open();
    expect(["new", "old"].map((token) => one.find(token))).toEqual([OWNER, undefined]);
  });

  it("that could not be read at the start is known once it can", async () => {
    const { token, row } = await book.create(newToken());
    book.close();
    const failing = vi.spyOn(store, "listTokens").mockRejectedValueOnce(new Error("disk I/O error"));
    book = await reopen();
    expect(book.find("the daemon's own")).toBe(OWNER);
    expect(book.find(token)).toBeUndefined();
    await until(() => book.find(token) !== undefined);
    expect(book.find(token)).toMatchObject({ token: row.id });
    expect(failing).toHaveBeenCalledTimes(2);
    // A book that is closed asks for nothing more.
    book.close();
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    failing.mockRejectedValueOnce(new Error("disk I/O error"));
    book = await reopen();
    book.close();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(failing).toHaveBeenCalledTimes(3);
  });

  it("is nothing when one character differs", async () => {
    const { token } = await book.create(newToken());
    for (let at = 0; at < token.length; at += 1) {
      const other = token[at] === "a" ? "b" : "a";
      expect(book.find(`${token.slice(0, at)}${other}${token.slice(at + 1)}`)).toBeUndefined();
    }
    for (const wrong of ["", token.slice(0, -1), `${token}a`, ` ${token}`, token.replace("itk", "inv")])
      expect(book.find(wrong)).toBeUndefined();
  });

  it("is stored as a hash only", async () => {
    const { token, row } = await book.create(newToken());
    const secret = token.slice(-43);
    expect(JSON.stringify([await store.listTokens(), book.list(), row, book.find(token)])).not.toContain(
      secret,
    );
  });

  it("ends at once when it is revoked, and only once", async () => {
    const { token, row } = await book.create(newToken());
    const other = await book.create(newToken({ name: "ben" }));
    await book.revoke(row.id);
    expect(ended).toEqual([row.id]);
    expect(book.find(token)).toBeUndefined();
    expect(book.find(other.token)).toMatchObject({ name: "ben" });
    await expect(book.revoke(row.id)).rejects.toMatchObject({ code: "token_not_found" });
    expect((await store.listTokens()).map(({ name }) => name)).toEqual(["ben"]);
  });

  it("is not accepted although its end could not be stored, which can be tried again", async () => {
    const { token, row } = await book.create(newToken());
    const { removeToken } = store;
    store.removeToken = () => Promise.reject(new Error("disk full"));
    await expect(book.revoke(row.id)).rejects.toMatchObject({ code: "store_unavailable" });
    expect(book.find(token)).toBeUndefined();
    expect(ended).toEqual([row.id]);
    store.removeToken = removeToken;
    await book.revoke(row.id);
    expect(await store.listTokens()).toEqual([]);
  });

  it("is none when it could not be stored, and its name is free", async () => {
    const { addToken } = store;
    store.addToken = () => Promise.reject(new Error("disk full"));
    await expect(book.create(newToken())).rejects.toMatchObject({
      code: "store_unavailable",
      message: expect.stringContaining("disk full"),
    });
    expect(book.list()).toEqual([]);
    store.addToken = addToken;
    await book.create(newToken());
  });
});

describe("when a token was last used", () => {
  it("is told at once and kept, and written at most once a minute", async () => {
    const written: [id: string, at: number][] = [];
    const { noteTokenUse } = store;
    store.noteTokenUse = (id, at) => {
      written.push([id, at]);
      return noteTokenUse.call(store, id, at);
    };
    const { token, row } = await book.create(newToken());
    expect(book.list()[0]).not.toHaveProperty("lastUsedAt");
    const began = time;
    for (let requests = 0; requests < 3; requests += 1) {
      expect(book.find(token)).toBeDefined();
      time += 20_000;
    }
    expect(book.list()[0]?.lastUsedAt).toBe(began);
    book.find(`${token}x`);
    book.find(token);
    await until(() => written.length === 2);
    expect(written).toEqual([
      [row.id, began],
      [row.id, began + 60_000],
    ]);
    book.close();
    book = await reopen();
    expect(book.list()[0]?.lastUsedAt).toBe(began + 60_000);
  });

  it("does not stand in the way when it cannot be written", async () => {
    const tried = Promise.withResolvers<void>();
    store.noteTokenUse = () => {
      tried.resolve();
      return Promise.reject(new Error("disk full"));
    };
    const { token } = await book.create(newToken());
    expect(book.find(token)).toMatchObject({ name: "anna" });
    await tried.promise;
    expect(book.find(token)).toMatchObject({ name: "anna" });
  });
});

describe("a token that expires", () => {
  it("is not accepted from then on, whatever the timer does", async () => {
    const { token, row } = await book.create(newToken({ expiresAt: time + 3_600_000 }));
    time += 3_599_999;
    expect(book.find(token)).toBeDefined();
    time += 1;
    expect(book.find(token)).toBeUndefined();
    expect(book.list()).toEqual([]);
    await expect(book.revoke(row.id)).rejects.toMatchObject({ code: "token_not_found" });
    // Its name is free.
    await book.create(newToken());
  });

  it("ends what it was used for when its time has come, and leaves the store", async () => {
    const now = Date.now();
    book.close();
    const live = await TokenBook.open({ store, ownToken: "own", logger });
    const told = Promise.withResolvers<string>();
    live.onEnd(told.resolve);
    await live.create(newToken({ name: "later", expiresAt: now + 2 ** 40 }));
    const { row } = await live.create(newToken({ expiresAt: Date.now() + 20 }));
    expect(await told.promise).toBe(row.id);
    expect((await store.listTokens()).map(({ name }) => name)).toEqual(["later"]);
    live.close();
  });

  it("while the daemon was down is gone after the start", async () => {
    await book.create(newToken({ expiresAt: time + 10 }));
    book.close();
    time += 10;
    book = await reopen();
    expect(book.list()).toEqual([]);
    expect(await store.listTokens()).toEqual([]);
  });
});

describe("names", () => {
  it.each(["anna", "Anna", "ANNA", "ａnna"])("%s is taken when there is anna", async (name) => {
    await book.create(newToken());
    await expect(book.create(newToken({ name }))).rejects.toMatchObject({
      code: "token_exists",
      extras: { errors: [{ path: "name" }] },
    });
  });

  it("that differ in a mark only are two", async () => {
    await book.create(newToken({ name: "か" }));
    await expect(book.create(newToken({ name: "が" }))).resolves.toBeDefined();
  });

  it.each(["owner", "Owner", "anybody", "anybodý", "o\u0308wner", "AgentSmithy Port"])(
    "%s is that of a built-in principal",
    async (name) => {
      await expect(book.create(newToken({ name }))).rejects.toMatchObject({ code: "token_exists" });
    },
  );

  it("that a later version took for a built-in principal keep working, and logs tell the two apart", async () => {
    const { token, row } = await book.create(newToken());
    await store.removeToken(row.id);
    await store.addToken({ ...row, name: "anybody" });
    book.close();
    book = await reopen();
    expect(book.find(token)).toMatchObject({ token: row.id, name: "token anybody" });
    expect(book.list()).toMatchObject([{ name: "anybody" }]);
  });

  it("are given once, also at the same moment", async () => {
    const made = await Promise.allSettled(Array.from({ length: 5 }, () => book.create(newToken())));
    expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(book.list()).toHaveLength(1);
  });
});

it("there are not more than there may be, also when many are made at the same moment", async () => {
  const make = (n: number) => book.create(newToken({ name: `n${n}` }));
  const made = await Promise.allSettled(Array.from({ length: MAX_TOKENS + 5 }, (_, n) => make(n)));
  const refused = made.filter((result) => result.status === "rejected");
  expect(refused.map(({ reason }) => reason.code)).toEqual(
    Array.from({ length: 5 }, () => "too_many_tokens"),
  );
  await book.revoke(book.list()[0]!.id);
  await make(MAX_TOKENS + 10);
});

it("without readable tokens only that of the daemon is known, and the log says why", async () => {
  const errors: object[] = [];
  store.listTokens = () => Promise.reject(new Error("damaged"));
  const opened = await TokenBook.open({
    store,
    ownToken: "own",
    logger: { error: (about: object) => errors.push(about), warn() {} } as never,
  });
  expect(opened.find("own")).toBe(OWNER);
  expect(errors).toMatchObject([{ err: { message: "damaged" } }]);
  opened.close();
});
