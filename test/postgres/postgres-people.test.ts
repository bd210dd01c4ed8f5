/** Tokens of several nodes on one PostgreSQL. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { MAX_TOKENS } from "../../src/core/people-store.ts";
import type { Store } from "../../src/core/store.ts";
import { sampleEntry, sampleInvitation, sampleToken } from "../../src/store/contract/people-contract.ts";
import { openPostgres } from "../../src/store/postgres/open-postgres.ts";
import { startPostgres, type TestPostgres } from "./start-postgres.ts";

let postgres: TestPostgres;
let url: string;
const stores: Store[] = [];

beforeAll(async () => {
  postgres = await startPostgres();
  url = await postgres.createDatabase();
});

afterAll(() => postgres[Symbol.asyncDispose]());

beforeEach(async () => {
  await postgres.empty(url);
  for (let n = 0; n < 2; n += 1) stores.push(await openPostgres({ url, isShared: true }));
});

afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
});

it("a number rises with every token that comes or goes, and with nothing else", async () => {
  const [a, b] = stores as [Store, Store];
  let last = await b.tokensVersion!();
  const expectChange = async (isChange: boolean, act: () => Promise<unknown>) => {
    await act();
    const version = await b.tokensVersion!();
    expect(version > last).toBe(isChange);
    last = version;
  };
  await expectChange(true, () => a.addToken(sampleToken("t1", { expiresAt: 50 })));
  await expectChange(false, () => a.noteTokenUse("t1", 20));
  await expectChange(false, () => a.addInvitation(sampleInvitation("i1")));
  await expectChange(true, () => b.redeemInvitation("i1", sampleToken("t2", { invitation: "i1" })));
  await expectChange(true, () => a.removeExpired({ tokens: 50, invitations: 0 }));
  await expectChange(false, () => a.removeExpired({ tokens: 50, invitations: 0 }));
  await expectChange(true, () => b.removeInvitation("i1"));
  await expectChange(false, () => b.removeToken("t1"));
});

it("a name is given once, to whoever is first, until its token has expired", async () => {
  const [a, b] = stores as [Store, Store];
  const tries = [a, b, a, b].map((store, n) =>
    store.addToken(sampleToken(`t${n}`, { name: n % 2 ? "Ada" : "ada" })),
  );
  const settled = await Promise.allSettled(tries);
  expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  for (const result of settled)
    if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "token_exists" });
  // Neither is an invitation used up by a name that is taken.
  await a.addInvitation(sampleInvitation("i1"));
  const redeem = (name: string) => b.redeemInvitation("i1", sampleToken("guest", { name, invitation: "i1" }));
  await expect(redeem("ＡＤＡ")).rejects.toMatchObject({ code: "token_exists" });
  expect(await redeem("ada 2")).toBe(true);

  await a.addToken(sampleToken("old", { name: "bert", expiresAt: 50 }));
  await b.addToken(sampleToken("new", { name: "bert", createdAt: 50 }));
  expect((await a.listTokens()).map(({ id }) => id)).not.toContain("old");
});

it("there are no more tokens than there may be", async () => {
  const [a, b] = stores as [Store, Store];
  for (let n = 0; n < MAX_TOKENS; n += 1) await a.addToken(sampleToken(`t${n}`));
  await expect(b.addToken(sampleToken("more"))).rejects.toMatchObject({ code: "too_many_tokens" });
  await a.removeToken("t0");
  await b.addToken(sampleToken("more"));
});

it("of many who redeem an invitation at once, one gets a token", async () => {
  await stores[0]!.addInvitation(sampleInvitation("i"));
  const tries = Array.from({ length: 10 }, (_, n) =>
    stores[n % 2]!.redeemInvitation("i", sampleToken(`t${n}`, { invitation: "i" })),
  );
  expect((await Promise.all(tries)).filter((isGiven) => isGiven)).toEqual([true]);
  expect(await stores[1]!.listTokens()).toHaveLength(1);
});

it("who did what is numbered without a gap, each node's in its own order", async () => {
  const write = async (store: Store, by: string) => {
    for (let n = 0; n < 20; n += 1)
      await store.appendAudit([1, 2, 3].map((m) => sampleEntry({ by, detail: String(3 * n + m) })));
  };
  await Promise.all([write(stores[0]!, "a"), write(stores[1]!, "b")]);
  const { entries } = await stores[0]!.readAudit({ limit: 1000 });
  expect(entries.map(({ seq }) => seq)).toEqual(Array.from({ length: 120 }, (_, n) => 120 - n));
  for (const by of ["a", "b"]) {
    const own = entries.filter((entry) => entry.by === by).map(({ detail }) => Number(detail));
    expect(own).toEqual(Array.from({ length: 60 }, (_, n) => 60 - n));
  }
});
