/** What a start loads of the bundle, and what waits until it is used. */
import { relative, resolve } from "node:path";
import { type OutputChunk, type OutputOptions, type Plugin, rolldown } from "rolldown";
import { beforeAll, expect, test } from "vitest";
import config from "../rolldown.config.ts";

const ROOT = resolve(import.meta.dirname, "..");

/** The command is imported when it is called, and the daemon when `serve` has read its arguments. */
const START = ["cli/main", "cli/commands/serve", "daemon"];

/**
 * Every start pays for these. A library that only some need, such as the driver of a database, is imported with
 * `import()` where it is used, and then it is not here.
 */
const LIBRARIES_OF_THE_START = [
  "@asteasolutions/zod-to-openapi",
  "@hono/node-server",
  "@hono/zod-openapi",
  "@hono/zod-validator",
  "@pinojs/redact",
  "atomic-sleep",
  "hono",
  "on-exit-leak-free",
  "pino",
  "pino-std-serializers",
  "quick-format-unescaped",
  "safe-stable-stringify",
  "sonic-boom",
  "thread-stream",
  "zod",
];

/** By module, those it imports statically. */
const imported = new Map<string, readonly string[]>();
const chunks = new Map<string, OutputChunk>();

beforeAll(async () => {
  const { output, plugins, ...input } = config;
  const noteImports: Plugin = {
    name: "note-imports",
    buildEnd() {
      for (const id of this.getModuleIds()) imported.set(id, this.getModuleInfo(id)?.importedIds ?? []);
    },
  };
  const bundle = await rolldown({ ...input, plugins: [plugins, noteImports] });
  const { output: files } = await bundle.generate(output as OutputOptions);
  await bundle.close();
  for (const file of files) if (file.type === "chunk") chunks.set(file.fileName, file);
});

/** All that is loaded together with these. */
function reachable(names: readonly string[], next: (name: string) => readonly string[]): Set<string> {
  const reached = new Set(names);
  for (const name of reached) for (const other of next(name)) reached.add(other);
  return reached;
}

function loadedModules(): string[] {
  return modulesOf(START.map(chunkOf));
}

/** The chunk that begins with this file of src/. */
function chunkOf(name: string): string {
  const id = resolve(ROOT, "src", `${name}.ts`);
  const chunk = [...chunks.values()].find(({ facadeModuleId }) => facadeModuleId === id);
  if (!chunk) throw new Error(`no chunk begins with ${name}`);
  return chunk.fileName;
}

function modulesOf(names: readonly string[]): string[] {
  const files = reachable(names, (file) => chunks.get(file)?.imports ?? []);
  return [...files].flatMap((file) => chunks.get(file)?.moduleIds ?? []);
}

test("a start loads only these libraries", () => {
  const names = loadedModules().map((id) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1]);
  expect([...new Set(names.filter((name) => name !== undefined))].sort()).toEqual(LIBRARIES_OF_THE_START);
});

test("what is imported on use lies in chunks that a start does not load", () => {
  const needed = reachable(
    START.map((name) => resolve(ROOT, "src", `${name}.ts`)),
    (id) => imported.get(id) ?? [],
  );
  const loaded = loadedModules().filter((id) => id.startsWith(ROOT));
  expect(loaded.length).toBeGreaterThan(100);
  expect(loaded.filter((id) => !needed.has(id)).map((id) => relative(ROOT, id))).toEqual([]);
});

test("what commands import on use is found beside the start", () => {
  const onUse = [...chunks.values()].filter(({ isDynamicEntry }) => isDynamicEntry);
  const facades = onUse.map(({ facadeModuleId }) => relative(ROOT, facadeModuleId ?? ""));
  expect(facades).toContain("src/store/backup.ts");
  expect(loadedModules()).not.toContain(resolve(ROOT, "src/store/backup.ts"));
});

test("help and version load the names of the commands, and none of them", () => {
  const loaded = modulesOf([chunkOf("cli/main")]).map((id) => relative(ROOT, id));
  expect(loaded).toContain("src/cli/commands.ts");
  const isSmall = /^src\/(cli\/[^/]+|config\/[^/]+|package-root|core\/suggest-word)\.ts$/;
  expect(loaded.filter((id) => !isSmall.test(id))).toEqual([]);
  expect(loaded.length).toBeLessThan(20);
});
