import { expect, it } from "vitest";
import type { AuditEntry } from "../../core/people-store.ts";
import { until } from "../../testkit/until.ts";
import { AuditLog } from "./audit-log.ts";

function entry(action: string, more: Partial<AuditEntry> = {}): AuditEntry {
  return { at: 1, by: "owner", role: "owner", dialect: "v1", action, outcome: "done", ...more };
}

function setUp() {
  const batches: string[][] = [];
  const warnings: string[] = [];
  const store = {
    isFailing: false,
    async appendAudit(entries: readonly AuditEntry[]) {
      if (store.isFailing) throw new Error("disk full");
      batches.push(entries.map(({ action }) => action));
    },
  };
  const logger = { warn: (_: object, text: string) => void warnings.push(text) };
  return { log: new AuditLog({ store, logger } as never), store, batches, warnings };
}

it("writes in batches, in order, without being asked", async () => {
  const { log, batches } = setUp();
  for (const action of ["a", "b", "c"]) log.note(entry(action));
  expect(batches).toEqual([]);
  await until(() => batches.length > 0);
  expect(batches).toEqual([["a", "b", "c"]]);
});

it("has written what came before when a write is waited for", async () => {
  const { log, batches } = setUp();
  log.note(entry("a"));
  const writing = [log.write(entry("b")), log.write(entry("c"))];
  log.note(entry("d"));
  await Promise.all(writing);
  expect(batches.flat().slice(0, 3)).toEqual(["a", "b", "c"]);
  await log.flush();
  expect(batches.flat()).toEqual(["a", "b", "c", "d"]);
});

it("keeps what cannot be written, warns once, and writes it later", async () => {
  const { log, store, batches, warnings } = setUp();
  store.isFailing = true;
  for (const action of ["a", "b", "c"]) await log.write(entry(action));
  expect(warnings).toHaveLength(1);
  store.isFailing = false;
  await log.write(entry("d"));
  expect(batches).toEqual([["a", "b", "c", "d"]]);
  store.isFailing = true;
  await log.write(entry("e"));
  expect(warnings).toHaveLength(2);
});

it("keeps no more than it may, and says how much is lost", async () => {
  const { log, store, batches, warnings } = setUp();
  store.isFailing = true;
  for (let n = 0; n < 10_005; n += 1) log.note(entry(String(n)));
  await log.flush();
  store.isFailing = false;
  await log.flush();
  expect(batches.flat()).toHaveLength(10_000);
  expect(batches.every((batch) => batch.length <= 1000)).toBe(true);
  expect(warnings).toHaveLength(2);
  expect(warnings[1]).toContain("not written down");
});
