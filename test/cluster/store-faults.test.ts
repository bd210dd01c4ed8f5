/** What the store on PostgreSQL does when the database, or the way to it, fails. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { SessionAppend, Store } from "../../src/core/store.ts";
import { GroupCommit } from "../../src/engine/commits/group-commit.ts";
import { SampleSession, sampleMessage } from "../../src/store/contract/sample-session.ts";
import { openPostgres } from "../../src/store/postgres/open-postgres.ts";
import { until } from "../../src/testkit/until.ts";
import type { FlakyProxy } from "./flaky-proxy.ts";
import { TestCluster } from "./test-cluster.ts";

const TIMEOUTS = { connectMs: 1000, statementMs: 1000 };

/** How the names of statements begin that append. */
const APPEND = "append_";

let cluster: TestCluster;
let proxy: FlakyProxy;
let store: Store;

beforeAll(async () => {
  cluster = await TestCluster.start();
  proxy = await cluster.startProxy();
});

afterAll(() => cluster[Symbol.asyncDispose]());

beforeEach(async () => {
  await cluster.postgres.empty(cluster.store);
  store = await open();
});

afterEach(async () => {
  Object.assign(proxy, { refuses: false, swallowsAfter: undefined, stalls: false });
  await store.close();
});

function open(): Promise<Store> {
  return openPostgres({ url: cluster.storeBehind(proxy), timeouts: TIMEOUTS });
}

/** Appends through the group commit, as the engine does; resolves when it is acknowledged. */
function committer() {
  const commit = new GroupCommit(store, { maxPendingBytes: 1_000_000, retryMs: 20 });
  return {
    commit,
    append(append: SessionAppend): Promise<void> {
      return new Promise((resolve, reject) => {
        let given: SessionAppend | undefined = append;
        commit.touch(
          {
            collect: () => {
              const collected = given;
              given = undefined;
              return collected;
            },
            committed: () => resolve(),
            failed: reject,
          },
          1000,
        );
      });
    },
  };
}

async function expectWhole(samples: readonly SampleSession[]): Promise<void> {
  for (const sample of samples) {
    expect((await store.readEvents(sample.id, 0, 100_000)).events).toEqual(sample.events);
    expect((await store.readRaws(sample.id, 0, 100_000)).raws).toEqual(sample.raws);
  }
  expect((await store.check()).problems).toEqual([]);
}

describe("an append whose answer is lost", () => {
  it("is sent again, and is there once", async () => {
    const sample = new SampleSession("a");
    const { append } = committer();
    await append(sample.batch({ events: 2, raws: 1 }));
    proxy.swallowsAfter = APPEND;
    const before = proxy.swallowed;
    const pending = append(sample.batch({ events: 3, raws: 2, messages: [sampleMessage("m")] }));
    await until(() => proxy.swallowed > before);
    proxy.cut();
    proxy.swallowsAfter = undefined;
    await pending;
    await append(sample.batch({ events: 1 }));
    await expectWhole([sample]);
  });

  it("of a new session is there once, too, also when the answer never comes", async () => {
    const sample = new SampleSession("new");
    const { append } = committer();
    await store.getSession("new");
    proxy.swallowsAfter = APPEND;
    const before = proxy.swallowed;
    const pending = append(sample.batch({ events: 2 }));
    await until(() => proxy.swallowed > before);
    // No answer at all, until the store stops waiting for it.
    await until(async () => {
      return (await cluster.query("SELECT 1 FROM interlingua.log_head WHERE head = 2")).length > 0;
    });
    proxy.swallowsAfter = undefined;
    await pending;
    await expectWhole([sample]);
  });

  it("that is given directly is refused as retryable, and the same one is then accepted as written", async () => {
    const sample = new SampleSession("a");
    await store.append([sample.batch({ events: 1 })]);
    const batch = sample.batch({ events: 2 });
    proxy.swallowsAfter = APPEND;
    const before = proxy.swallowed;
    const pending = store.append([batch]);
    pending.catch(() => {});
    await until(() => proxy.swallowed > before);
    proxy.cut();
    await expect(pending).rejects.toMatchObject({ name: "StoreWriteError", retryable: true });
    proxy.swallowsAfter = undefined;
    // A failure that is known, as while another server takes over, does not tell how the one before it ended.
    proxy.refuses = true;
    await expect(store.append([batch])).rejects.toMatchObject({ name: "StoreWriteError", retryable: true });
    proxy.refuses = false;
    await until(() =>
      store.append([batch]).then(
        () => true,
        (error) => {
          if (!error.retryable) throw error;
          return false;
        },
      ),
    );
    await expectWhole([sample]);
    // One that does not follow is refused all the same.
    await expect(store.append([batch])).rejects.toThrow("does not follow");
  });
});

describe("a database that cannot be reached", () => {
  it("refuses reads as busy, says so in its health, and is used again when it is back", async () => {
    const sample = new SampleSession("a");
    await store.append([sample.batch({ events: 1 })]);
    proxy.refuses = true;
    proxy.cut();
    await expect(store.getSession("a")).rejects.toMatchObject({ code: "store_busy" });
    await expect(store.append([sample.batch({ events: 1 })])).rejects.toMatchObject({ retryable: true });
    await until(() => store.health().problem !== undefined);
    expect(store.health().problem).toContain("could not be read just now");
    proxy.refuses = false;
    await until(async () => {
      const row = await store.getSession("a").catch(() => undefined);
      return row !== undefined && store.health().problem === undefined;
    });
    expect((await store.getSession("a"))?.head).toBe(1);
  });

  it("for a moment while nobody reads is not noticed by what is read next", async () => {
    const memory = [{ part: "p", seq: 1, data: Buffer.from("kept") }];
    await store.append([new SampleSession("a").batch({ events: 1, memory })]);
    const reads = [
      async () => expect((await store.getSession("a"))?.head).toBe(1),
      async () => {
        for await (const { data } of store.readMemory("a")) expect(Buffer.from(data).toString()).toBe("kept");
      },
    ];
    for (const read of reads) {
      await Promise.all(Array.from({ length: 4 }, read));
      proxy.cut();
      await read();
    }
  });

  it("that stalls is not waited for forever", async () => {
    const sample = new SampleSession("a");
    await store.append([sample.batch({ events: 1 })]);
    proxy.stalls = true;
    const refused = await Promise.allSettled([
      store.getSession("a"),
      store.append([sample.batch({ events: 1 })]),
    ]);
    expect(refused.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    proxy.stalls = false;
    await until(async () => (await store.getSession("a").catch(() => undefined)) !== undefined);
  });
});

describe("a database that refuses writes", () => {
  it("read-only: nothing is written, reads go on, and it goes on when it is writable", async () => {
    const sample = new SampleSession("a");
    const { append, commit } = committer();
    await append(sample.batch({ events: 1 }));
    const { postgres, database } = cluster;
    await postgres.query(`ALTER DATABASE ${database} SET default_transaction_read_only = on`);
    proxy.cut();
    const pending = append(sample.batch({ events: 1 }));
    await until(() => commit.problem?.includes("read-only") === true);
    expect((await store.getSession("a"))?.head).toBe(1);
    await postgres.query(`ALTER DATABASE ${database} RESET default_transaction_read_only`, "postgres");
    proxy.cut();
    await pending;
    expect(commit.problem).toBeUndefined();
    await expectWhole([sample]);
  });

  it("a full disk: nothing is written, reads go on, and it goes on when there is room", async () => {
    const samples = ["a", "b"].map((id) => new SampleSession(id));
    const { append, commit } = committer();
    await append(samples[0]!.batch({ events: 1 }));
    await cluster.query(
      `CREATE FUNCTION interlingua.no_room() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$;
      CREATE TRIGGER no_room BEFORE INSERT ON interlingua.tail EXECUTE FUNCTION interlingua.no_room()`,
    );
    const pending = samples.map((sample) => append(sample.batch({ events: 2, raws: 1 })));
    await until(() => commit.problem !== undefined);
    expect(commit.problem).toContain("Make room on the disk of PostgreSQL.");
    expect((await store.getSession("a"))?.head).toBe(1);
    expect(await store.getSession("b")).toBeUndefined();
    await cluster.query("DROP TRIGGER no_room ON interlingua.tail");
    await Promise.all(pending);
    expect(commit.problem).toBeUndefined();
    await expectWhole(samples);
  });
});

describe("PostgreSQL that is restarted or crashes", () => {
  it.each(["fast", "crash"] as const)("%s: what was acknowledged is there, and all goes on", async (how) => {
    const samples = ["a", "b"].map((id) => new SampleSession(id));
    const { append } = committer();
    for (const sample of samples) await append(sample.batch({ events: 5, raws: 2, seal: true }));
    await cluster.postgres.stop(how);
    const pending = samples.map((sample) => append(sample.batch({ events: 3 })));
    await cluster.postgres.start();
    await Promise.all(pending);
    await expectWhole(samples);
  });
});

describe("a second daemon", () => {
  it("is refused while the first one has the database, and taken when that is gone", async () => {
    const url = cluster.store;
    await expect(openPostgres({ url })).rejects.toThrow(/another daemon works with this database/);
    await store.close();
    const second = await openPostgres({ url });
    await second.append([new SampleSession("a").batch({ events: 1 })]);
    await second.close();
  });

  it("that got the database after the first lost its connection is not written beside", async () => {
    const sample = new SampleSession("a");
    await store.append([sample.batch({ events: 1 })]);
    proxy.refuses = true;
    proxy.cut();
    const second = await openPostgres({ url: cluster.store });
    proxy.refuses = false;
    await until(async () => (await store.getSession("a").catch(() => undefined)) !== undefined);
    await expect(store.append([sample.batch({ events: 1 })])).rejects.toThrow("another daemon");
    await second.close();
  });
});
