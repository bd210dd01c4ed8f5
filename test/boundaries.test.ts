/**
 * The arrows between the rooms of src/: `core` ← `protocol` ← everything, and the choices meet in daemon.ts.
 * Type imports count like others: what a room knows about is what it depends on.
 */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, test } from "vitest";

const SOURCE = resolve(import.meta.dirname, "../src");

/** What each room may see besides itself: a whole room, or a single file of one. */
const MAY_SEE: Readonly<Record<string, readonly string[]>> = {
  core: [],
  // Where the package lies; whoever needs a file of it asks there.
  "package-root.ts": [],
  // How a file at a path that somebody else may have made is opened.
  files: [],
  protocol: ["core"],
  config: ["core", "files", "package-root.ts"],
  // The client library. It finds a daemon where the config says, if that lives, and starts the one of this package.
  sdk: [
    "protocol",
    "config/data-location.ts",
    "process/process-table.ts",
    "process/hand-over-secrets.ts",
    "package-root.ts",
  ],
  store: ["core", "protocol", "files"],
  // A program that starts the daemon and the launcher agree on some names and options.
  process: ["core", "protocol", "files/network-mount.ts", "../bin/daemon-launch.js"],
  // Files and git; nothing of sessions' logs.
  workspace: ["core", "files"],
  // How agents' processes run is the process room's; agents know its port. The commands of our own agent end as agents do.
  agents: [
    "core",
    "protocol",
    "files",
    // An adapter from outside may have that protocol's shape.
    "unified",
    "process/process-host.ts",
    "process/line-splitter.ts",
    "process/end-processes.ts",
    "process/owner-marker.ts",
    "process/process-family.ts",
    "process/process-table.ts",
    "process/read-output.ts",
    "package-root.ts",
    "modules",
  ],
  // Code that the config names: how it is loaded, and whose errors are its own.
  modules: ["core", "files", "package-root.ts"],
  // npm runs as a child like an agent: marked, in the reaper's care, with an allow-listed environment.
  install: ["core", "files", "process/process-host.ts", "package-root.ts"],
  // Handlers use the engine through its port.
  dialects: ["core", "protocol", "unified", "engine/engine.ts", "modules"],
  // What dialects from outside are made of: a list of exports.
  dialect: ["core", "protocol", "dialects"],
  // What adapters from outside are made of: a list of exports.
  adapter: ["core", "process", "install", "agents"],
  // Agents' own messages for programs that run them: translators on one side, the view of the AI SDK on the other.
  native: ["core", "agents", "dialects"],
  // The UnifiedMessage protocol as a library.
  unified: ["core"],
  engine: ["core", "protocol", "files/regular-file.ts"],
  // Who owns a session is decided in the database. Commands for others go through the port of the engine.
  cluster: [
    "core",
    "protocol",
    "files",
    "engine/engine.ts",
    "store/read-problems.ts",
    "store/postgres/connection.ts",
    "store/postgres/postgres-failure.ts",
    "store/postgres/schema.ts",
    "store/postgres/stored-text.ts",
  ],
  server: ["core", "protocol", "files", "dialects/dialect.ts", "engine/engine.ts", "package-root.ts"],
  testkit: [
    "core",
    "protocol",
    "unified",
    "engine",
    "process",
    "agents",
    "dialects",
    "store",
    "package-root.ts",
  ],
  // Part of the start of a daemon.
  "data-directory.ts": ["config", "store", "process"],
  "join-cluster.ts": [
    "core",
    "config",
    "process",
    "engine",
    "files",
    "workspace",
    "cluster",
    "data-directory.ts",
  ],
  "open-workspaces.ts": ["core", "config", "process", "workspace", "cluster", "data-directory.ts"],
  "load-dialects.ts": ["config", "dialects", "modules", "server"],
  "daemon.ts": [
    "core",
    "modules",
    "load-dialects.ts",
    "protocol",
    "config",
    "store",
    "process",
    "install",
    "agents",
    "dialects",
    "engine",
    "workspace",
    "server",
    "cluster",
    "data-directory.ts",
    "join-cluster.ts",
    "open-workspaces.ts",
  ],
  cli: [
    "core",
    "protocol",
    "config",
    "files",
    "store",
    "process",
    "install",
    "agents",
    "dialects",
    "engine/engine.ts",
    // For doctor, and for backups.
    "workspace/git-version.ts",
    "workspace/checkpoint-archive.ts",
    // For `notify test`.
    "server/notify/send-notification.ts",
    "sdk",
    "modules",
    "load-dialects.ts",
    "daemon.ts",
    "package-root.ts",
  ],
};

interface Import {
  /** Both relative to src/. */
  readonly from: string;
  /** A package or `node:` module as it is named, or a file relative to src/. */
  readonly to: string;
  readonly local: boolean;
}

const files = readdirSync(SOURCE, { recursive: true, encoding: "utf8" }).filter((path) =>
  path.endsWith(".ts"),
);
const imports = files.flatMap(readImports);
const shipped = imports.filter(({ from }) => !isForTests(from));
const between = shipped.filter(({ from, to, local }) => local && roomOf(from) !== roomOf(to));

function readImports(file: string): Import[] {
  const source = readFileSync(join(SOURCE, file), "utf8");
  return [...source.matchAll(/\b(?:from|import)\s*\(?\s*"([^"]+)"/g)].map(([, name = ""]) => {
    if (!name.startsWith(".")) return { from: file, to: name, local: false };
    return { from: file, to: relative(SOURCE, resolve(SOURCE, dirname(file), name)), local: true };
  });
}

/** The first folder, or the file itself where it lies beside the folders. */
function roomOf(file: string): string {
  return file.split("/")[0]!;
}

/** Tests may look into every room; so may what they only share among themselves. */
function isForTests(file: string): boolean {
  return file.endsWith(".test.ts") || file.endsWith("test-support.ts") || file.includes("/fixtures/");
}

function describeImport({ from, to }: Import): string {
  return `src/${from} imports ${to}`;
}

test("every room is known", () => {
  const rooms = new Set(files.filter((file) => !isForTests(file)).map(roomOf));
  expect([...rooms].filter((room) => !(room in MAY_SEE))).toEqual([]);
});

describe.each(Object.entries(MAY_SEE))("%s", (room, visible) => {
  test(`sees only ${visible.join(", ") || "itself"}`, () => {
    expect(shipped.map(({ from }) => roomOf(from))).toContain(room);
    const strangers = between.filter(
      ({ from, to }) => roomOf(from) === room && !visible.includes(roomOf(to)) && !visible.includes(to),
    );
    expect(strangers.map(describeImport)).toEqual([]);
  });
});

test.each(["core", "protocol", "unified"])("%s runs in a browser: it imports no module of Node", (room) => {
  const own = shipped.filter(({ from, to }) => roomOf(from) === room && to.startsWith("node:"));
  expect(own.map(describeImport)).toEqual([]);
});

test("only tests import the test kit", () => {
  const users = between.filter(({ to }) => roomOf(to) === "testkit");
  expect(users.map(describeImport)).toEqual([]);
});

test("no two rooms depend on each other, directly or by a detour", () => {
  const edges = new Map<string, Set<string>>();
  for (const { from, to } of between) {
    edges.set(roomOf(from), (edges.get(roomOf(from)) ?? new Set()).add(roomOf(to)));
  }
  expect(findCycle(edges)).toBeUndefined();
});

describe("no files need each other's values, directly or by a detour", () => {
  test.each([SOURCE, resolve(import.meta.dirname, "../web/src")])("%s", (folder) => {
    expect(findCycle(valueImports(folder))).toBeUndefined();
  });

  test.each([
    ['import { a } from "./a.ts";', ["./a.ts"]],
    ['import a, { type B } from "./a.ts";', ["./a.ts"]],
    ['import { type A, b } from "./a.ts";', ["./a.ts"]],
    ['export * from "./a.ts";', ["./a.ts"]],
    ['import "./a.css";', ["./a.css"]],
    ['import type { A } from "./a.ts";', []],
    ['import { type A, type B } from "./a.ts";', []],
    ['export type { A } from "./a.ts";', []],
    ['const a = await import("./a.ts");', []],
  ])("as %s does", (source, needed) => {
    expect(neededBy(source)).toEqual(needed);
  });
});

/** By the files of a folder, those of it they need to be evaluated first. */
function valueImports(folder: string): Map<string, Set<string>> {
  const all = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const sources = all.filter((path) => /\.tsx?$/.test(path) && !isForTests(path));
  return new Map(
    sources.map((file) => {
      const needed = neededBy(readFileSync(join(folder, file), "utf8"));
      return [file, new Set(needed.map((name) => relative(folder, resolve(folder, dirname(file), name))))];
    }),
  );
}

/** Types are gone when a module is evaluated, and a dynamic import comes after it. */
function neededBy(source: string): string[] {
  const statements = source.matchAll(/^(?:import|export)\s+(?!type\b)(?:([^;"]*?)\bfrom\s+)?"(\.[^"]+)"/gm);
  return [...statements].flatMap(([, names, file = ""]) => (names && isOnlyTypes(names) ? [] : [file]));
}

function isOnlyTypes(names: string): boolean {
  const inBraces = /^\{(.*)\}\s*$/s.exec(names)?.[1];
  const each = inBraces?.split(",").map((name) => name.trim());
  return each?.filter(Boolean).every((name) => name.startsWith("type ")) ?? false;
}

/** The rooms or files of a cycle in order, `a → b → a`; undefined when there is none. */
function findCycle(edges: ReadonlyMap<string, ReadonlySet<string>>): string | undefined {
  const done = new Set<string>();
  const visit = (room: string, path: readonly string[]): string | undefined => {
    if (path.includes(room)) return [...path.slice(path.indexOf(room)), room].join(" → ");
    if (done.has(room)) return undefined;
    for (const next of edges.get(room) ?? []) {
      const cycle = visit(next, [...path, room]);
      if (cycle) return cycle;
    }
    done.add(room);
    return undefined;
  };
  for (const room of edges.keys()) {
    const cycle = visit(room, []);
    if (cycle) return cycle;
  }
  return undefined;
}
