import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { DatabaseDirectories } from "./database-directories.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const USE = { session: "s", directory: "/shared/project", kind: "restore" } as const;

/** A database that can be away, and has one row for each session and kind. */
function open() {
  const rows = new Map<string, number>();
  const world = { isAway: false, goesAway: false, rows, lease: { node: 1 } };
  const query = async (text: string | { text: string }, values: readonly unknown[] = []) => {
    if (world.isAway) throw new Error("the database is away");
    const key = `${values[0]} ${values[1]}`;
    if (String(text).startsWith("INSERT")) rows.set(key, values[3] as number);
    if (String(text).startsWith("DELETE") && rows.get(key) === values[2]) rows.delete(key);
    if (!world.goesAway) return [];
    world.isAway = true;
    throw new Error("the connection broke");
  };
  const directories = new DatabaseDirectories({
    connection: { query: query as never },
    lease: world.lease,
    daemon: "d",
    sharedRoots: () => ["/shared"],
  });
  return { ...world, world, directories };
}

it("the end of a use is said again until the database has it", async () => {
  const { world, rows, directories } = open();
  const end = await directories.announce(USE);
  world.isAway = true;
  await end();
  await vi.advanceTimersByTimeAsync(2000);
  expect([...rows]).toEqual([["s restore", 1]]);
  world.isAway = false;
  await vi.advanceTimersByTimeAsync(500);
  expect([...rows]).toEqual([]);
});

it("a use whose announcement had no answer is taken back as soon as the database can be reached", async () => {
  const { world, rows, directories } = open();
  world.goesAway = true;
  await expect(directories.announce(USE)).rejects.toMatchObject({ code: "store_busy" });
  expect([...rows]).toEqual([["s restore", 1]]);
  Object.assign(world, { goesAway: false, isAway: false });
  await vi.advanceTimersByTimeAsync(500);
  expect([...rows]).toEqual([]);
});

it("a late end does not take back what was announced since", async () => {
  const { world, rows, directories } = open();
  const end = await directories.announce(USE);
  world.isAway = true;
  await end();
  world.isAway = false;
  const endAgain = await directories.announce(USE);
  await vi.advanceTimersByTimeAsync(2000);
  expect([...rows]).toEqual([["s restore", 1]]);
  await endAgain();
  expect([...rows]).toEqual([]);
});

it("a node that has another number by then leaves it to whoever cleans up after the dead", async () => {
  const { world, rows, directories } = open();
  const end = await directories.announce(USE);
  world.isAway = true;
  await end();
  world.isAway = false;
  world.lease.node = 2;
  await vi.advanceTimersByTimeAsync(2000);
  expect([...rows]).toEqual([["s restore", 1]]);
  expect(vi.getTimerCount()).toBe(0);
});
