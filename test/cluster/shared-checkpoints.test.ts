/**
 * Nodes that keep checkpoints of one directory in one place: whoever is declared dead in between, and goes on all the same,
 * damages nothing. Nodes are in one process, the database and the files are real.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { setImmediate as pause } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { DatabaseLocks } from "../../src/cluster/database-locks.ts";
import { PostgresConnection } from "../../src/store/postgres/connection.ts";
import { openPostgres } from "../../src/store/postgres/open-postgres.ts";
import { Random } from "../../src/testkit/random.ts";
import { openWorkspace } from "../../src/workspace/open-workspace.ts";
import { TestCluster } from "./test-cluster.ts";

let cluster: TestCluster;
let folder: string;
let connection: PostgresConnection;

beforeAll(async () => {
  cluster = await TestCluster.start();
});

afterAll(() => cluster[Symbol.asyncDispose]());

beforeEach(async () => {
  const url = cluster.store;
  await (await openPostgres({ url, isShared: true })).close();
  folder = cluster.temporary();
  for (const name of ["project", "kept"]) mkdirSync(join(folder, name));
  connection = await PostgresConnection.open({ url, reads: 8 });
  cluster.defer(() => connection.close());
});

afterEach(() => cluster.clear());

/** A node without timers: it lives, and others declare it dead, when the test says so. */
class Node {
  id = 0;
  /** What it believes itself; the database may know better. */
  state: "live" | "frozen" | "lost" = "live";
  #thawed = Promise.withResolvers<void>();
  /** Called when it has got a lock, and after each time that it was found to hold it. */
  onLock: () => Promise<void> | void = () => {};
  onConfirmed: () => Promise<void> | void = () => {};
  readonly locks = new DatabaseLocks({
    connection,
    lease: this.#lease(),
    suspended: () => (this.state === "frozen" ? this.#thawed.promise : undefined),
  });
  readonly workspace = openWorkspace({
    directory: join(folder, "kept"),
    data: join(folder, "data"),
    isShared: true,
    // So that there is something to delete.
    limits: { maxCheckpoints: 3 },
    acquire: async (store, options) => {
      const lock = await this.locks.take(basename(store), options);
      if (lock) await this.onLock();
      const confirm = async () => {
        await lock?.confirm();
        await this.onConfirmed();
      };
      return lock && { ...lock, confirm, environment: {} };
    },
  });

  #lease() {
    const node = this;
    return {
      get node() {
        return node.id;
      },
      check: () => node.state,
    };
  }

  async join(): Promise<void> {
    const rows = await connection.query<{ id: number }>(
      "INSERT INTO node (name, daemon) VALUES ('n', 'n') RETURNING id",
    );
    this.id = rows[0]!.id;
    this.state = "live";
    this.#thawed.resolve();
  }

  /** As when it is stopped for longer than its lease: first it freezes, then others may have what it had. */
  async loseLease(): Promise<void> {
    this.#thawed = Promise.withResolvers();
    this.state = "frozen";
    await connection.query("UPDATE node SET dead = true WHERE id = $1", [this.id]);
  }

  async goOn(): Promise<void> {
    this.state = "lost";
    await this.join();
  }
}

async function nodes(count: number): Promise<Node[]> {
  const all = Array.from({ length: count }, () => new Node());
  for (const node of all) await node.join();
  return all;
}

const project = () => join(folder, "project");

function change(random: Random): void {
  for (let count = random.integer(0, 5); count >= 0; count -= 1)
    writeFileSync(
      join(project(), `f${random.integer(0, 39)}`),
      `${random.integer(0, 999)}\n`.repeat(random.integer(0, 199)),
    );
}

/** Every repository is whole, and has these checkpoints. Gives how many there are. */
function assertWhole(checkpoints: readonly string[]): number {
  const stores = readdirSync(join(folder, "kept")).filter((name) => /^[0-9a-f]{32}$/.test(name));
  expect(stores).toHaveLength(1);
  const git = (...args: string[]) =>
    execFileSync("git", ["--git-dir", join(folder, "kept", stores[0]!), ...args], {
      encoding: "utf8",
      stdio: "pipe",
    });
  git("fsck", "--full", "--strict", "--no-dangling");
  const refs = new Set(git("for-each-ref", "--format=%(objectname)", "refs/checkpoints/").trim().split("\n"));
  expect(checkpoints.filter((id) => !refs.has(id))).toEqual([]);
  return refs.size;
}

it("two nodes that take checkpoints of one directory at once take them one after the other", async () => {
  const [a, b] = (await nodes(2)) as [Node, Node];
  const taken = new Set<string>();
  for (let round = 0; round < 8; round += 1) {
    writeFileSync(join(project(), "f"), `${round}\n`);
    const both = await Promise.all(
      [a, b].map(({ workspace }, at) => workspace.capture({ session: `s${at}`, directory: project() })),
    );
    for (const { id } of both) taken.add(id);
    const [from, to] = both.map(({ id }) => id);
    expect(await a.workspace.compare({ directory: project(), from: from!, to: to! })).toEqual([]);
  }
  expect(taken.size).toBe(16);
  assertWhole([...taken]);
});

it("one session whose node died goes on with the next number at another", async () => {
  const [a, b] = (await nodes(2)) as [Node, Node];
  const request = { session: "s", directory: project() };
  const taken = [];
  for (const { workspace } of [a, b, a, a, b]) {
    writeFileSync(join(project(), "f"), `${taken.length}\n`);
    taken.push((await workspace.capture(request)).id);
  }
  assertWhole(taken);
  expect(await b.workspace.findKept(project(), taken)).toEqual(new Set(taken));
});

it("a lock goes with its node; who had it and comes back cannot confirm it", async () => {
  const [a, b] = (await nodes(2)) as [Node, Node];
  const lock = (await a.locks.take("x"))!;
  expect(lock).toMatchObject({ hasMoved: true, isAbandoned: false });
  expect(await b.locks.take("x", { isBackground: true })).toBeUndefined();
  await a.loseLease();
  const taken = (await b.locks.take("x"))!;
  expect(taken).toMatchObject({ hasMoved: true, isAbandoned: true });
  const confirmed = lock.confirm();
  confirmed.catch(() => {});
  await a.goOn();
  await expect(confirmed).rejects.toMatchObject({ code: "workspace_failed" });
  // Its release takes nothing from the other.
  await lock.release();
  expect(await a.locks.take("x", { isBackground: true })).toBeUndefined();
  await taken.confirm();
  await taken.release();
  expect(await b.locks.take("x")).toMatchObject({ hasMoved: false, isAbandoned: false });
});

it("whoever waits for a lock ends what runs under it in the background", async () => {
  const [a, b] = (await nodes(2)) as [Node, Node];
  const lock = (await a.locks.take("x", { isBackground: true }))!;
  const waiting = b.locks.take("x");
  await new Promise((resolve) => lock.wanted!.addEventListener("abort", resolve));
  await lock.release();
  expect(await waiting).toMatchObject({ isAbandoned: false });
});

it.each(["before it looks at its lease", "after that"])(
  "a node that is stopped while it takes a checkpoint, %s, does not publish it when it goes on",
  async (when) => {
    const [a, b] = (await nodes(2)) as [Node, Node];
    const request = { session: "s", directory: project() };
    writeFileSync(join(project(), "f"), "1\n");
    const first = await a.workspace.capture(request);
    writeFileSync(join(project(), "f"), "2\n");
    const stopped = Promise.withResolvers<void>();
    const goesOn = Promise.withResolvers<void>();
    if (when === "after that")
      a.onConfirmed = async () => {
        stopped.resolve();
        await goesOn.promise;
      };
    else
      a.onLock = async () => {
        await a.loseLease();
        stopped.resolve();
      };
    const capturing = a.workspace.capture(request);
    capturing.catch(() => {});
    await stopped.promise;
    if (when === "after that") await a.loseLease();
    // What nothing refers to is deleted meanwhile.
    writeFileSync(join(project(), "f"), "3\n");
    const second = await b.workspace.capture({ ...request, session: "t" });
    await b.workspace.forget("s");
    await b.workspace.collectGarbage();
    a.onConfirmed = () => {};
    a.onLock = () => {};
    goesOn.resolve();
    await a.goOn();
    await expect(capturing).rejects.toThrow();
    expect(assertWhole([second.id])).toBe(1);
    expect(await b.workspace.findKept(project(), [first.id, second.id])).toEqual(new Set([second.id]));
    // It works on.
    assertWhole([(await a.workspace.capture(request)).id]);
  },
);

it.each([1, 2, 3])("whatever nodes do, the repository stays whole (seed %d)", async (seed) => {
  const random = new Random(seed);
  const all = await nodes(3);
  /** The last one of each session, which is not dropped. */
  const last = new Map<string, string>();
  const failures: unknown[] = [];
  const capture = async (node: Node, session: string) => {
    last.set(session, (await node.workspace.capture({ session, directory: project() })).id);
  };
  const act = async (node: Node, name: string) => {
    for (let step = 0; step < 15; step += 1) {
      change(random);
      const what = random.integer(0, 9);
      // Who has its lease is not disturbed by others.
      if (what < 6)
        await capture(node, `${name}${random.integer(0, 1)}`).catch((error) => failures.push(error));
      else if (what < 8) failures.push(...(await node.workspace.collectGarbage()).failed);
      else {
        // In the middle of what others wait for, or while it waits itself.
        const working = capture(node, name).catch(() => {});
        for (let turns = random.integer(0, 100); turns > 0; turns -= 1) await pause();
        await node.loseLease();
        for (let turns = random.integer(0, 100); turns > 0; turns -= 1) await pause();
        await node.goOn();
        await working;
      }
    }
  };
  await Promise.all(all.map((node, at) => act(node, `n${at}`)));
  expect(failures).toEqual([]);
  assertWhole([...last.values()]);
  await all[1]!.workspace.collectGarbage();
  assertWhole([...last.values()]);
});
