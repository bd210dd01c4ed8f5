import { afterEach, expect, it } from "vitest";
import { SampleSession, sampleMessage } from "../contract/sample-session.ts";
import { StoreWriteError } from "../store-write-error.ts";
import { openDatabase } from "./open-database.ts";
import { SqliteStore } from "./sqlite-store.ts";
import { removeTemporaryDirectories, temporaryDirectory } from "./temporary-directory.ts";

afterEach(removeTemporaryDirectories);

it("writes nothing when the disk is full, and goes on when there is room again", async () => {
  const connection = openDatabase(temporaryDirectory());
  const store = new SqliteStore(connection);
  const a = new SampleSession("a");
  const b = new SampleSession("b");
  await store.append([a.batch({ events: 5, raws: 2 }), b.batch({ events: 1 })]);
  const before = { events: [...a.events], row: a.row };

  const { page_count: pages } = connection.get<{ page_count: number }>("PRAGMA page_count")!;
  connection.exec(`PRAGMA max_page_count = ${pages + 4}`);
  const large = [
    b.batch({ events: 1 }),
    a.batch({
      events: ["x".repeat(50_000)],
      messages: [sampleMessage("m", { position: 1 })],
      searchText: "new",
    }),
  ];
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const failure = await store.append(large).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StoreWriteError);
    expect(failure).toMatchObject({ retryable: true, cause: { errcode: 13 } });
  }
  expect(await store.readEvents("a", 0, 10)).toEqual({ events: before.events, head: 5 });
  expect(await store.getSession("a")).toEqual(before.row);
  expect((await store.readEvents("b", 0, 10)).head).toBe(1);
  expect(await store.getMessage("a", "m")).toBeUndefined();

  connection.exec("PRAGMA max_page_count = 1000000");
  await store.append(large);
  expect((await store.readEvents("a", 0, 10)).events).toEqual(a.events);
  expect((await store.readEvents("b", 0, 10)).events).toEqual(b.events);
  expect(await store.check()).toMatchObject({ ok: true, problems: [] });
  await store.close();
});
