/** What is published: built and packed from a copy, installed into an empty folder with npm, and used there. */
import { execFile, spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { promisify, stripVTControlCharacters } from "node:util";
import { gzipSync } from "node:zlib";
import { build } from "rolldown";
import { afterAll, beforeAll, expect, test } from "vitest";
import manifest from "../package.json" with { type: "json" };
import { findOldNode } from "../src/cli/test-support.ts";
import { checkLog } from "../src/core/check-log.ts";
import type { SessionEvent } from "../src/core/event.ts";
import { until } from "../src/testkit/until.ts";
import { DaemonProcess } from "./crash/daemon-process.ts";

const ROOT = resolve(import.meta.dirname, "..");
const PARTS = [
  ...["bin", "schemas", "scripts", "src", "web/dist"],
  ...["package.json", "rolldown.config.ts", "tsconfig.json", "tsconfig.types.json"],
  // npm packs these, too.
  ...["CHANGELOG.md", "LICENSE", "README.md"],
];
/** Offline, npm fails where the package asks for another one. */
const OFFLINE = ["--offline", "--no-audit", "--no-fund"];

const directory = mkdtempSync(join(tmpdir(), "interlingua-package-"));
const project = join(directory, "project");
/** Where somebody uses it who has nothing else. */
const user = join(directory, "user");
const installed = join(user, "node_modules/interlingua");

const tarball = join(directory, `interlingua-${manifest.version}.tgz`);

let installing: { stdout: string; stderr: string };

/** A little more than the package has. If you raise it, say why in the changelog. */
const MAX_PACKED_BYTES = 2_730_000;

beforeAll(async () => {
  for (const part of PARTS) cpSync(join(ROOT, part), join(project, part), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(project, "node_modules"));
  await run("npm", ["run", "build"], project);
  await run("npm", ["run", "build:types"], project);
  await run("npm", ["pack", "--ignore-scripts", "--pack-destination", directory], project);
  mkdirSync(user);
  writeFileSync(join(user, "package.json"), JSON.stringify({ private: true, type: "module" }));
  installing = await run("npm", ["install", ...OFFLINE, "--cache", join(directory, "cache"), tarball], user);
}, 300_000);

afterAll(() => rmSync(directory, { recursive: true, force: true }));

test("it is small", () => {
  expect(statSync(tarball).size).toBeLessThan(MAX_PACKED_BYTES);
});

test("it needs no other package", () => {
  expect(readdirSync(join(user, "node_modules")).filter((name) => !name.startsWith("."))).toEqual([
    "interlingua",
  ]);
});

test("npm installs it without a warning about scripts, and without a second Node", () => {
  expect(installing.stdout).toMatch(/^added 1 package in \S+\n$/m);
  expect(installing.stderr).not.toContain("script");
  const packed = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  // npm runs or announces these when a package is installed.
  for (const name of ["preinstall", "install", "postinstall", "prepare"])
    expect(packed.scripts).not.toHaveProperty(name);
  expect(packed).not.toHaveProperty("optionalDependencies");
});

test("it holds every file that is read while it runs, and no sources", () => {
  for (const folder of ["src/cli/completion/scripts", "src/install/presets", "schemas", "web/dist"]) {
    expect(filesIn(join(installed, folder))).toEqual(filesIn(join(ROOT, folder)));
  }
  expect(filesIn(join(installed, "src")).filter((path) => path.endsWith(".ts"))).toEqual([]);
});

const oldNode = findOldNode();

test.skipIf(!oldNode)("an older Node is told in one line what is missing", () => {
  const program = join(installed, "bin/interlingua.js");
  const { status, stdout, stderr } = spawnSync(oldNode!, [program, "--help"], { encoding: "utf8" });
  expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
  expect(stderr).toMatch(
    /^interlingua: needs Node 24 or newer, and this is v[\d.]+\. Install it from https:\/\/nodejs\.org\.\n$/,
  );
});

test.skipIf(!oldNode)(
  "the client library works in an older Node, or says in one line what is missing",
  () => {
    const program = [
      'import { Interlingua } from "interlingua/sdk";',
      "const { data, bin } = process.env;",
      "const client = await Interlingua.start({ data, spawn: bin ? { bin } : true }).catch(({ message }) => {",
      "  console.log(message);",
      "});",
      "if (client) {",
      '  const session = await client.sessions.create({ agent: "mock", options: { pace: 0 } });',
      '  console.log(await session.prompt("scenario:text").text());',
      "  await client.dispose();",
      "}",
    ];
    writeFileSync(join(user, "older.mjs"), program.join("\n"));
    const start = (bin: string) => {
      const env = { ...process.env, data: join(directory, "older"), bin };
      return spawnSync(oldNode!, ["older.mjs"], { cwd: user, encoding: "utf8", env }).stdout;
    };
    expect(start("")).toMatch(
      /^The daemon did not start: .* It said: interlingua: needs Node 24 or newer, [^\n]+\n$/,
    );
    // In a clone Node 24 is at hand.
    expect(start(join(ROOT, "bin/interlingua.js"))).toMatch(/^Hello from the mock agent/);
  },
);

test("interlingua --version", async () => {
  expect(await command(installed, "--version")).toBe(`${manifest.version}\n`);
});

test("the daemon serves the page, and a turn with the mock agent", async () => {
  const data = join(directory, "data");
  mkdirSync(data);
  const daemon = await DaemonProcess.start(data, { script: join(installed, "bin/interlingua.js") });
  try {
    expect(await (await daemon.request("GET", "/")).text()).toContain("/assets/");
    await daemon.call("POST", "/v1/sessions", { id: "packed", agent: "mock" });
    await daemon.prompt("packed", "scenario:echo hello");
    await until(async () => (await daemon.events("packed")).some((line) => line.includes('"turn.ended"')));
    const events = (await daemon.events("packed")).map((line) => JSON.parse(line) as SessionEvent);
    expect(checkLog(events, { complete: true })).toEqual([]);
    expect(events.findLast(({ type }) => type === "turn.ended")).toMatchObject({ outcome: "completed" });
  } finally {
    await daemon.kill("SIGTERM");
  }
});

test("programs can import it, in JavaScript and with types", async () => {
  const program = [
    'import { type Daemon, type Dialect, startDaemon } from "interlingua";',
    'import { defineProtocol } from "interlingua/adapter";',
    'import { adaptMessage } from "interlingua/ai-sdk";',
    'import { checkLog } from "interlingua/core";',
    'import { nativeAdapter } from "interlingua/native";',
    'import { eventFrame } from "interlingua/protocol";',
    'import { isUnifiedMessage } from "interlingua/unified";',
    'const daemon: Daemon = await startDaemon({ data: ":memory:", port: 0 });',
    "await daemon.close();",
    "// @ts-expect-error A port is a number: this fails where the types are not found.",
    'export const wrong = () => startDaemon({ port: "4111" });',
    "// @ts-expect-error",
    'export const unknown = () => nativeAdapter("cursor");',
    'console.log([adaptMessage, checkLog, defineProtocol, eventFrame, isUnifiedMessage, nativeAdapter].every((each) => typeof each === "function"));',
  ];
  writeFileSync(join(user, "program.ts"), program.join("\n"));
  const { stdout } = await run(process.execPath, ["program.ts"], user);
  expect(stdout).toBe("true\n");
  const compiler = join(ROOT, "node_modules/.bin/tsc");
  // Those who use zod or pino have their types; here they are left out.
  const options = ["--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext", "--target", "es2024"];
  await run(compiler, [...options, "program.ts"], user);
});

test("the client library starts a daemon, and its types need no other package", async () => {
  const program = [
    'import { Interlingua, InterlinguaError, type SessionEvent } from "interlingua/sdk";',
    'await using client = await Interlingua.start({ data: ":memory:" });',
    'const session = await client.sessions.create({ agent: "mock", options: { pace: 0 } });',
    'const types = new Set<SessionEvent["type"]>();',
    'for await (const event of session.prompt("scenario:text")) types.add(event.type);',
    'console.log(types.has("turn.ended"), InterlinguaError.name);',
    "// @ts-expect-error An agent has a name: this fails where the types are not found.",
    "export const wrong = () => client.sessions.create({ agent: 1 });",
  ];
  writeFileSync(join(user, "client.ts"), program.join("\n"));
  const { stdout } = await run(process.execPath, ["client.ts"], user);
  expect(stdout).toBe("true InterlinguaError\n");
  const compiler = join(ROOT, "node_modules/.bin/tsc");
  const options = ["--noEmit", "--strict", "--target", "es2024", "--lib", "es2024,dom,esnext.disposable"];
  for (const resolution of [["nodenext"], ["esnext", "--moduleResolution", "bundler"]])
    await run(compiler, [...options, "--types", "", "--module", ...resolution, "client.ts"], user);
});

test("the client library for browsers is small, and needs nothing of Node", async () => {
  const { output } = await build({
    input: join(installed, "dist/sdk/browser.js"),
    platform: "browser",
    output: { minify: true },
    write: false,
  });
  expect(output).toHaveLength(1);
  expect(gzipSync(output[0].code).length).toBeLessThan(15_000);
  expect(output[0].imports).toEqual([]);
});

test("the test kit can be found, and the programs it starts", async () => {
  writeFileSync(join(user, "find.js"), 'console.log(import.meta.resolve("interlingua/testkit"));');
  const { stdout } = await run(process.execPath, ["find.js"], user);
  const folder = dirname(new URL(stdout.trim()).pathname);
  for (const program of ["misbehaving-acp-agent", "recorder", "recording-player"]) {
    expect(readdirSync(join(folder, program))).toContain("main.js");
  }
});

/** Somebody who writes an adapter or a dialect, with the test runner of their own. */
function installForAuthor(example: string): string {
  const author = join(directory, `author-of-${example}`);
  cpSync(join(ROOT, "examples", example), author, { recursive: true });
  cpSync(installed, join(author, "node_modules/interlingua"), { recursive: true });
  for (const name of ["zod", "vitest", "fast-check", "@types"])
    symlinkSync(join(ROOT, "node_modules", name), join(author, "node_modules", name));
  return author;
}

test("the example adapter compiles, keeps the published contract, and runs in the published daemon", async () => {
  const author = installForAuthor("adapter");
  const compiler = join(ROOT, "node_modules/.bin/tsc");
  const options = ["--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext", "--target", "es2024"];
  const sources = readdirSync(author).filter((name) => name.endsWith(".ts"));
  await run(compiler, [...options, "--allowImportingTsExtensions", "--types", "node", ...sources], author);

  const { stdout } = await run(process.execPath, ["node_modules/vitest/vitest.mjs", "run"], author);
  const said = stripVTControlCharacters(stdout);
  expect(said).toMatch(/Tests +5\d passed/);
  expect(said).not.toMatch(/skipped|failed/);

  const data = join(directory, "author-data");
  mkdirSync(data);
  const agents = { parrot: { module: join(author, "adapter.ts") } };
  writeFileSync(join(data, "config.json"), JSON.stringify({ agents }));
  const daemon = await DaemonProcess.start(data, { script: join(installed, "bin/interlingua.js") });
  try {
    await daemon.call("POST", "/v1/sessions", { id: "squawk", agent: "parrot" });
    await daemon.prompt("squawk", "hello");
    await until(async () => (await daemon.events("squawk")).some((line) => line.includes('"turn.ended"')));
    const events = (await daemon.events("squawk")).map((line) => JSON.parse(line) as SessionEvent);
    expect(checkLog(events, { complete: true })).toEqual([]);
    expect(events.find(({ type }) => type === "text.delta")).toMatchObject({ delta: "You said: hello" });
  } finally {
    await daemon.kill("SIGTERM");
  }
}, 180_000);

test("the example dialect compiles, keeps the published contract, and runs in the published daemon", async () => {
  const author = installForAuthor("dialect");
  // As the guide says, for the compiler.
  for (const name of ["@hono", "hono", "pino"])
    symlinkSync(join(ROOT, "node_modules", name), join(author, "node_modules", name));
  const compiler = join(ROOT, "node_modules/.bin/tsc");
  const options = ["--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext", "--target", "es2024"];
  const libraries = ["--lib", "es2024,dom,dom.asynciterable,esnext.disposable"];
  const sources = readdirSync(author).filter((name) => name.endsWith(".ts"));
  const all = [...options, ...libraries, "--allowImportingTsExtensions", "--types", "node", ...sources];
  await run(compiler, all, author);

  const { stdout } = await run(process.execPath, ["node_modules/vitest/vitest.mjs", "run"], author);
  const said = stripVTControlCharacters(stdout);
  expect(said).toMatch(/Tests +6 passed/);
  expect(said).not.toMatch(/skipped|failed/);
}, 180_000);

test("in a clone what was built runs until a source is changed", async () => {
  const built = join(project, "dist/cli/main.js");
  writeFileSync(built, 'export async function main() { console.log("built"); return 0; }');
  expect(await command(project, "--version")).toBe("built\n");
  const later = new Date(Date.now() + 1000);
  utimesSync(join(project, "src/core/event.ts"), later, later);
  expect(await command(project, "--version")).toBe(`${manifest.version}\n`);
});

async function command(folder: string, ...args: string[]): Promise<string> {
  return (await run(process.execPath, [join(folder, "bin/interlingua.js"), ...args], user)).stdout;
}

/** With the Node of these tests, and nothing that npm told its children about this project. */
function run(program: string, args: readonly string[], cwd: string) {
  const kept = Object.entries(process.env).filter(([name]) => !/^npm_(?!config_)/i.test(name));
  const env = {
    ...Object.fromEntries(kept),
    PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
  };
  return promisify(execFile)(program, args, { cwd, env });
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
}
