/** Tokens and the audit log of several nodes on one PostgreSQL. */
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type AuditRow, MAX_TOKENS } from "../../src/core/people-store.ts";
import type { Store } from "../../src/core/store.ts";
import { sampleEntry, sampleInvitation, sampleToken } from "../../src/store/contract/people-contract.ts";
import { openPostgres } from "../../src/store/postgres/open-postgres.ts";
import { LOCKS } from "../../src/store/postgres/schema.ts";
import { until } from "../../src/testkit/until.ts";
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

/** Everything that is written down, page by page. */
async function wholeAudit(store: Store, limit: number): Promise<AuditRow[]> {
  const found: AuditRow[] = [];
  let before: number | undefined;
  do {
    const page = await store.readAudit({ limit, before });
    found.push(...page.entries);
    before = page.before;
  } while (before !== undefined);
  return found;
}

it("who did what has each number once, each node's in its own order", async () => {
  const write = async (store: Store, by: string) => {
    for (let n = 0; n < 20; n += 1)
      await store.appendAudit([1, 2, 3].map((m) => sampleEntry({ by, detail: String(3 * n + m) })));
  };
  await Promise.all([write(stores[0]!, "a"), write(stores[1]!, "b")]);
  const entries = await wholeAudit(stores[0]!, 7);
  expect(new Set(entries.map(({ seq }) => seq)).size).toBe(120);
  expect(entries.map(({ seq }) => seq)).toEqual(entries.map(({ seq }) => seq).sort((x, y) => y - x));
  for (const by of ["a", "b"]) {
    const own = entries.filter((entry) => entry.by === by).map(({ detail }) => Number(detail));
    expect(own).toEqual(Array.from({ length: 60 }, (_, n) => 60 - n));
  }
});

/** Writes an entry of an actor. */
const NOTE = `INSERT INTO interlingua.audit (at, actor, dialect, action, outcome)
  SELECT 1, $1, 'v1', 'session.prompt', 'done' FROM pg_advisory_xact_lock_shared(${LOCKS.audit})`;

describe("while a node has not committed what it wrote down", () => {
  let slow: pg.Client;

  beforeEach(async () => {
    slow = new pg.Client({ connectionString: url });
    await slow.connect();
    await slow.query("BEGIN");
    await slow.query(NOTE, ["slow"]);
  });

  afterEach(() => slow.end());

  it("others write down what they did, and do not wait for it", async () => {
    for (const store of stores) await store.appendAudit([sampleEntry({ by: "fast" })]);
    await slow.query("ROLLBACK");
    // Its number is missing, and nothing is wrong with that.
    const { entries } = await stores[0]!.readAudit({ limit: 10 });
    expect(entries.map(({ seq }) => seq)).toEqual([3, 2]);
    expect(await stores[0]!.check()).toMatchObject({ ok: true, problems: [] });
  });

  it("a reader misses nothing that is committed later under a lower number", async () => {
    await stores[0]!.appendAudit([1, 2, 3].map(() => sampleEntry({ by: "fast" })));
    const reading = wholeAudit(stores[1]!, 2);
    const isWaiting = "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted";
    await until(async () => (await postgres.query(isWaiting)).length > 0);
    await slow.query("COMMIT");
    expect((await reading).map(({ seq, by }) => [seq, by])).toEqual([
      [4, "fast"],
      [3, "fast"],
      [2, "fast"],
      [1, "slow"],
    ]);
  });
});
