/** The names that programs can import, so that a change of them is deliberate, and the examples beside them. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as adapter from "../src/adapter/index.ts";
import * as core from "../src/core/index.ts";
import * as daemon from "../src/daemon.ts";
import * as dialect from "../src/dialect/index.ts";
import * as aiSdk from "../src/dialects/ai-sdk/library.ts";
import * as native from "../src/native/index.ts";
import * as protocol from "../src/protocol/index.ts";
import * as sdk from "../src/sdk/index.ts";
import * as testkit from "../src/testkit/index.ts";
import * as unified from "../src/unified/index.ts";
import { type ExportedName, exportedNames } from "./exported-names.ts";

const ROOT = resolve(import.meta.dirname, "..");
const CORE = join(ROOT, "src/core");

const SUBPATHS: Readonly<Record<string, { module: object; file: string }>> = {
  interlingua: { module: daemon, file: "src/daemon.ts" },
  adapter: { module: adapter, file: "src/adapter/index.ts" },
  dialect: { module: dialect, file: "src/dialect/index.ts" },
  "ai-sdk": { module: aiSdk, file: "src/dialects/ai-sdk/library.ts" },
  core: { module: core, file: "src/core/index.ts" },
  native: { module: native, file: "src/native/index.ts" },
  protocol: { module: protocol, file: "src/protocol/index.ts" },
  sdk: { module: sdk, file: "src/sdk/index.ts" },
  testkit: { module: testkit, file: "src/testkit/index.ts" },
  unified: { module: unified, file: "src/unified/index.ts" },
};

describe.each(Object.entries(SUBPATHS))("%s", (name, { module, file }) => {
  const exported = exportedNames(join(ROOT, file));

  test("exports these values", async () => {
    const values = Object.keys(module);
    await expect(listOf(values)).toMatchFileSnapshot(`fixtures/exports/${name}.txt`);
    // What was read from the source is what there is, so the list of types is whole too.
    expect(exported.filter(({ isType }) => !isType).map(nameOf)).toEqual(expect.arrayContaining(values));
  });

  test("exports these types", async () => {
    const types = exported.filter(({ isType }) => isType).map(nameOf);
    await expect(listOf(types)).toMatchFileSnapshot(`fixtures/exports/${name}-types.txt`);
  });
});

test("interlingua exports every type of the port of dialects", () => {
  const namesOf = (file: string) => exportedNames(join(ROOT, file)).map(nameOf);
  expect(namesOf("src/daemon.ts")).toEqual(expect.arrayContaining(namesOf("src/dialects/dialect.ts")));
});

const names = exportedNames(join(CORE, "index.ts"));
const values = names.filter(({ isType }) => !isType);

/** As a program: `value; // => expected` becomes an assertion. `events` is a complete log. */
function programOf({ comment }: ExportedName): string {
  const example = comment
    .split("@example")[1]!
    .replaceAll(/^ \* ?/gm, "")
    .trim();
  const used = names.filter(({ name }) => new RegExp(`\\b${name}\\b`).test(example));
  const imports = [
    ...used.map(({ name, isType }) => (isType ? `type ${name}` : name)),
    "type SessionEvent as Event",
  ];
  return [
    `import assert from "node:assert/strict";`,
    `import { readFileSync } from "node:fs";`,
    `import { ${imports.join(", ")} } from ${JSON.stringify(join(CORE, "index.ts"))};`,
    `const log = readFileSync(${JSON.stringify(join(ROOT, "test/fixtures/language/codex/text-reasoning.events.jsonl"))}, "utf8");`,
    `const events = log.trim().split("\\n").map((line): Event => JSON.parse(line));`,
    example.replaceAll(/^(.*); \/\/ => (.*)$/gm, "assert.deepEqual($1, $2);"),
  ].join("\n");
}

describe("the examples of interlingua/core", () => {
  const folder = mkdtempSync(join(tmpdir(), "interlingua-examples-"));
  beforeAll(() => {
    writeFileSync(join(folder, "package.json"), '{"type":"module"}');
    for (const value of values) writeFileSync(join(folder, `${value.name}.ts`), programOf(value));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test("every export is described, and every value has an example", () => {
    expect(names.filter(({ comment }) => !/\w/.test(comment.split("@example")[0]!)).map(nameOf)).toEqual([]);
    expect(values.filter(({ comment }) => !comment.includes("@example")).map(nameOf)).toEqual([]);
  });

  test("the examples compile", async () => {
    const compilerOptions = {
      typeRoots: [join(ROOT, "node_modules/@types")],
      rewriteRelativeImportExtensions: false,
    };
    const config = { extends: join(ROOT, "tsconfig.json"), compilerOptions, include: ["*.ts"] };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
    const compiler = promisify(execFile)(join(ROOT, "node_modules/.bin/tsc"), ["-p", folder]);
    expect(await compiler.catch((error) => error)).toMatchObject({ stdout: "" });
  });

  test.each(values)("the example of $name runs", async ({ name }) => {
    await import(pathToFileURL(join(folder, `${name}.ts`)).href);
  });
});

function nameOf({ name }: ExportedName): string {
  return name;
}

function listOf(lines: readonly string[]): string {
  return `${[...lines].sort().join("\n")}\n`;
}
