import { chmodSync, lstatSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { SampleSession } from "./contract/sample-session.ts";
import { MemoryStore } from "./memory/memory-store.ts";
import { openStore, openStoreReadOnly } from "./open-store.ts";
import { removeTemporaryDirectories, temporaryDirectory } from "./sqlite/temporary-directory.ts";

afterEach(removeTemporaryDirectories);

const mode = (path: string) => statSync(path).mode & 0o777;

describe("openStore", () => {
  it("opens one in memory", async () => {
    expect(await openStore(":memory:")).toBeInstanceOf(MemoryStore);
  });

  it("keeps the directory and every file in it private", async () => {
    const directory = join(temporaryDirectory(), "deep", "data");
    const store = await openStore({ directory });
    await store.append([new SampleSession("a").batch({ events: 1 })]);
    expect(mode(directory)).toBe(0o700);
    const files = readdirSync(directory);
    expect(files).toContain("interlingua.db-wal");
    for (const file of files) expect(mode(join(directory, file))).toBe(0o600);
    await store.close();
  });

  it("leaves the mode of a directory alone that holds other things", async () => {
    const directory = temporaryDirectory();
    writeFileSync(join(directory, "theirs"), "");
    chmodSync(directory, 0o755);
    await (await openStore({ directory })).close();
    expect(mode(directory)).toBe(0o755);
    expect(mode(join(directory, "interlingua.db"))).toBe(0o600);
  });

  it("neither follows a link in the place of the database nor closes its target to others", async () => {
    const [directory, elsewhere] = [temporaryDirectory(), temporaryDirectory()];
    await (await openStore({ directory: elsewhere })).close();
    const target = join(elsewhere, "interlingua.db");
    chmodSync(target, 0o644);
    symlinkSync(target, join(directory, "interlingua.db"));
    await expect(openStore({ directory })).rejects.toThrow("is a link, which is not followed");
    await expect(openStoreReadOnly(directory)).rejects.toThrow("is a link, which is not followed");
    expect(mode(target)).toBe(0o644);
  });

  it("does not put a new database in the place of a link that leads nowhere", async () => {
    const directory = temporaryDirectory();
    const path = join(directory, "interlingua.db");
    symlinkSync(join(directory, "away"), path);
    await expect(openStore({ directory })).rejects.toThrow("is a link, which is not followed");
    expect(lstatSync(path).isSymbolicLink()).toBe(true);
  });
});

describe("openStoreReadOnly", () => {
  it("sees what another connection commits, and changes nothing", async () => {
    const directory = temporaryDirectory();
    const store = await openStore({ directory });
    const sample = new SampleSession("a");
    await store.append([sample.batch({ events: 3, seal: true })]);
    const reader = await openStoreReadOnly(directory);
    expect(await reader.readEvents("a", 0, 10)).toEqual({ events: sample.events, head: 3 });
    await store.append([sample.batch({ events: 3 })]);
    expect((await reader.readEvents("a", 0, 10)).events).toEqual(sample.events);
    expect(await reader.check()).toEqual({ ok: true, sessions: 1, events: 6, problems: [] });
    expect("append" in reader).toBe(false);
    await store.close();
    expect((await reader.listSessions({ limit: 1 })).sessions).toEqual([sample.row]);
    await reader.close();
    await reader.close();
  });

  it("opens a database that nobody has open", async () => {
    const directory = temporaryDirectory();
    await (await openStore({ directory })).close();
    const reader = await openStoreReadOnly(directory);
    expect(await reader.check()).toMatchObject({ ok: true, sessions: 0 });
    await reader.close();
  });

  it("says so when there is no data", async () => {
    const directory = join(temporaryDirectory(), "none");
    await expect(openStoreReadOnly(directory)).rejects.toThrow("There is no data of Interlingua");
    mkdirSync(directory);
    await expect(openStoreReadOnly(directory)).rejects.toThrow("There is no data of Interlingua");
    expect(readdirSync(directory)).toEqual([]);
  });
});
