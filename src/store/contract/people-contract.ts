/** Contract: tokens, invitations and the audit log. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type AuditEntry,
  type AuditRow,
  type InvitationRow,
  MAX_AUDIT_ENTRIES,
  type TokenRow,
} from "../../core/people-store.ts";
import type { Store } from "../../core/store.ts";
import type { OpenStore } from "../store-contract.ts";
import { SampleSession } from "./sample-session.ts";

export function sampleToken(id: string, row: Partial<TokenRow> = {}): TokenRow {
  return {
    id,
    hash: `hash of ${id}`,
    name: `name of ${id}`,
    role: "participant",
    createdAt: 10,
    createdBy: "owner",
    ...row,
  };
}

export function sampleInvitation(id: string, row: Partial<InvitationRow> = {}): InvitationRow {
  return {
    id,
    hash: `hash of ${id}`,
    session: "s",
    role: "observer",
    createdAt: 10,
    createdBy: "owner",
    expiresAt: 100,
    ...row,
  };
}

export function sampleEntry(entry: Partial<AuditEntry> = {}): AuditEntry {
  return {
    at: 1,
    by: "owner",
    role: "owner",
    dialect: "v1",
    action: "session.prompt",
    outcome: "done",
    ...entry,
  };
}

/** Everything there is, page by page. */
async function wholeAudit(store: Store, filter: { session?: string; by?: string }, limit: number) {
  const rows: AuditRow[] = [];
  let before: number | undefined;
  do {
    const page = await store.readAudit({ ...filter, limit, before });
    expect(page.entries.length).toBeLessThanOrEqual(limit);
    rows.push(...page.entries);
    before = page.before;
  } while (before !== undefined);
  return rows;
}

export function peopleContract(open: OpenStore): void {
  describe("tokens", () => {
    it("are listed in the order they were added, with all they had, also after it was opened again", async () => {
      const { store, reopen } = await open();
      expect(await store.listTokens()).toEqual([]);
      const rows = [
        sampleToken("b"),
        sampleToken("a", { sessions: ["s.1", "s-2"], expiresAt: 99, role: "owner", name: "Zoë 👩‍👩‍👧" }),
        sampleToken("c", { agents: ["mock"], sessions: [], invitation: "i", createdBy: "anna (phone)" }),
        sampleToken("d", { lastUsedAt: 1_794_716_232_534 }),
      ];
      for (const row of rows) await store.addToken(row);
      expect(await store.listTokens()).toEqual(rows);
      const current = (await reopen?.()) ?? store;
      expect(await current.listTokens()).toEqual(rows);
      expect(await current.check()).toMatchObject({
        problems: [expect.stringContaining('"i"')].slice(reopen ? 0 : 1),
      });
    });

    it("keep when they were last used", async () => {
      const { store, reopen } = await open();
      await store.addToken(sampleToken("a"));
      await store.addToken(sampleToken("b", { expiresAt: 99 }));
      await store.noteTokenUse("b", 20);
      await store.noteTokenUse("b", 1_794_716_232_534);
      await store.noteTokenUse("nobody", 30);
      const current = (await reopen?.()) ?? store;
      expect(await current.listTokens()).toEqual([
        sampleToken("a"),
        sampleToken("b", { expiresAt: 99, lastUsedAt: 1_794_716_232_534 }),
      ]);
      expect(await current.check()).toMatchObject({ problems: [] });
    });

    it("are gone when they are removed, and only then", async () => {
      const { store, reopen } = await open();
      await store.addToken(sampleToken("a"));
      await store.addToken(sampleToken("b"));
      expect(await store.removeToken("c")).toBe(false);
      expect(await store.removeToken("a")).toBe(true);
      expect(await store.removeToken("a")).toBe(false);
      const current = (await reopen?.()) ?? store;
      expect(await current.listTokens()).toEqual([sampleToken("b")]);
    });

    it("do not change with the row that was given", async () => {
      const { store } = await open();
      const sessions = ["s"];
      await store.addToken(sampleToken("a", { sessions }));
      sessions.push("other");
      const [row] = await store.listTokens();
      (row as { role: string }).role = "owner";
      expect(await store.listTokens()).toEqual([sampleToken("a", { sessions: ["s"] })]);
    });
  });

  describe("invitations", () => {
    it("are listed by session, and found by id", async () => {
      const { store, reopen } = await open();
      const rows = [
        sampleInvitation("b", { name: "Anna" }),
        sampleInvitation("a", { session: "t" }),
        sampleInvitation("c"),
      ];
      for (const row of rows) await store.addInvitation(row);
      const current = (await reopen?.()) ?? store;
      expect(await current.listInvitations()).toEqual(rows);
      expect(await current.listInvitations("s")).toEqual([rows[0], rows[2]]);
      expect(await current.listInvitations("u")).toEqual([]);
      expect(await current.getInvitation("a")).toEqual(rows[1]);
      expect(await current.getInvitation("d")).toBeUndefined();
    });

    it("give one token, however many want one at the same moment", async () => {
      const { store, reopen } = await open();
      for (let round = 0; round < 50; round += 1) {
        const invitation = `i${round}`;
        await store.addInvitation(sampleInvitation(invitation));
        const tokens = Array.from({ length: 4 }, (_, n) => sampleToken(`${invitation}.${n}`, { invitation }));
        const redeemed = await Promise.all(tokens.map((token) => store.redeemInvitation(invitation, token)));
        expect(redeemed.filter(Boolean)).toHaveLength(1);
        const winner = tokens[redeemed.indexOf(true)]!;
        expect(await store.getInvitation(invitation)).toEqual(
          sampleInvitation(invitation, { usedAt: winner.createdAt, token: winner.id }),
        );
        expect(await store.redeemInvitation(invitation, sampleToken("late", { invitation }))).toBe(false);
      }
      const current = (await reopen?.()) ?? store;
      expect(await current.listTokens()).toHaveLength(50);
      expect((await current.check()).problems).toEqual([]);
    });

    it("give none when they are unknown or have expired", async () => {
      const { store } = await open();
      await store.addInvitation(sampleInvitation("i", { expiresAt: 100 }));
      expect(await store.redeemInvitation("j", sampleToken("a"))).toBe(false);
      expect(await store.redeemInvitation("i", sampleToken("a", { createdAt: 100 }))).toBe(false);
      expect(await store.listTokens()).toEqual([]);
      expect(await store.redeemInvitation("i", sampleToken("a", { createdAt: 99 }))).toBe(true);
    });

    it("go with their tokens, when they are removed and when their session is", async () => {
      const { store } = await open();
      await store.append([new SampleSession("s").batch({ events: 1 })]);
      await store.addToken(sampleToken("other", { sessions: ["s"] }));
      for (const [id, session] of [
        ["i", "s"],
        ["j", "s"],
        ["k", "t"],
      ] as const) {
        await store.addInvitation(sampleInvitation(id, { session }));
        await store.redeemInvitation(id, sampleToken(`of ${id}`, { invitation: id, sessions: [session] }));
      }
      const ids = async () => (await store.listTokens()).map(({ id }) => id);
      expect(await store.removeInvitation("i")).toBe(true);
      expect(await store.removeInvitation("i")).toBe(false);
      expect(await ids()).toEqual(["other", "of j", "of k"]);
      await store.deleteSession("s");
      expect(await ids()).toEqual(["other", "of k"]);
      expect((await store.listInvitations()).map(({ id }) => id)).toEqual(["k"]);
    });

    it("and tokens that have expired are removed", async () => {
      const { store } = await open();
      for (const [id, expiresAt] of [
        ["a", 50],
        ["b", 51],
        ["c", undefined],
      ] as const) {
        await store.addToken(sampleToken(id, { expiresAt }));
        await store.addInvitation(sampleInvitation(id, { expiresAt: expiresAt ?? 1000 }));
      }
      await store.removeExpired({ tokens: 50, invitations: 51 });
      expect((await store.listTokens()).map(({ id }) => id)).toEqual(["b", "c"]);
      expect((await store.listInvitations()).map(({ id }) => id)).toEqual(["c"]);
    });
  });

  describe("the audit log", () => {
    it("gives everything back newest first, page by page, also after it was opened again", async () => {
      const { store, reopen } = await open();
      expect(await store.readAudit({ limit: 10 })).toEqual({ entries: [] });
      const entries = [
        sampleEntry(),
        sampleEntry({ by: "anna", token: "t", role: "participant", session: "s" }),
        sampleEntry({
          by: "anna (phone)",
          outcome: "refused",
          code: "forbidden",
          detail: "stopping",
          session: "s",
        }),
        sampleEntry({ by: "anna-lena", role: undefined, dialect: "ai-sdk", session: "t" }),
      ];
      await store.appendAudit(entries.slice(0, 3));
      await store.appendAudit([]);
      await store.appendAudit(entries.slice(3));
      const rows = entries.map((entry, n) => ({ seq: n + 1, ...entry })).reverse();
      for (const row of rows) if (row.role === undefined) delete row.role;
      const current = (await reopen?.()) ?? store;
      expect(await current.readAudit({ limit: 4 })).toEqual({ entries: rows });
      expect(await current.readAudit({ limit: 3 })).toEqual({ entries: rows.slice(0, 3), before: 2 });
      expect(await current.readAudit({ limit: 3, before: 2 })).toEqual({ entries: rows.slice(3) });
      expect(await wholeAudit(current, { session: "s" }, 1)).toEqual([rows[1], rows[2]]);
      expect(await wholeAudit(current, { by: "anna" }, 1)).toEqual([rows[1], rows[2]]);
      expect(await wholeAudit(current, { by: "anna", session: "t" }, 1)).toEqual([]);
      await current.appendAudit([sampleEntry()]);
      expect((await current.readAudit({ limit: 1 })).entries).toMatchObject([{ seq: 5 }]);
    });

    it("finds the same by any filter and any size of a page", async () => {
      const { store } = await open();
      const names = ["owner", "owner (phone)", "anna", "ann", "anna (a) (b)", "anna ("];
      const entry = fc.record({
        by: fc.constantFrom(...names),
        session: fc.option(fc.constantFrom("s", "t"), { nil: undefined }),
      });
      const filter = fc.record(
        { by: fc.constantFrom("owner", "anna", "ann"), session: fc.constantFrom("s", "t") },
        { requiredKeys: [] },
      );
      let all: AuditRow[] = [];
      await fc.assert(
        fc.asyncProperty(
          fc.array(entry, { maxLength: 20 }),
          filter,
          fc.integer({ min: 1, max: 30 }),
          async (added, wanted, limit) => {
            await store.appendAudit(added.map((given) => sampleEntry(given)));
            all = [
              ...added.map((given, n) => ({ ...sampleEntry(given), seq: all.length + n + 1 })).reverse(),
              ...all,
            ];
            const expected = all.filter(
              (row) =>
                (wanted.session === undefined || row.session === wanted.session) &&
                (wanted.by === undefined || row.by === wanted.by || row.by.startsWith(`${wanted.by} (`)),
            );
            const found = await wholeAudit(store, wanted, limit);
            expect(found.map(({ seq }) => seq)).toEqual(expected.map(({ seq }) => seq));
          },
        ),
        { numRuns: 30 },
      );
    });

    it(`keeps the newest ${MAX_AUDIT_ENTRIES} entries and counts on`, { timeout: 60_000 }, async () => {
      const { store, reopen } = await open();
      const batch = Array.from({ length: 10_000 }, () => sampleEntry({ session: "s" }));
      for (let n = 0; n < MAX_AUDIT_ENTRIES / 10_000 + 1; n += 1) await store.appendAudit(batch);
      await store.appendAudit([sampleEntry(), sampleEntry()]);
      const current = (await reopen?.()) ?? store;
      const newest = MAX_AUDIT_ENTRIES + 10_002;
      const first = newest - MAX_AUDIT_ENTRIES + 1;
      expect((await current.readAudit({ limit: 1 })).entries[0]?.seq).toBe(newest);
      const oldest = await current.readAudit({ limit: 10, before: first + 2 });
      expect(oldest.entries.map(({ seq }) => seq)).toEqual([first + 1, first]);
      expect(oldest.before).toBeUndefined();
    });
  });
}
