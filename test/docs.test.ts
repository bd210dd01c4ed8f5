/** The documents say what the code says: links, paths, and every name that a reader looks up. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { SCENARIOS } from "../src/agents/mock/program/scenarios/index.ts";
import { loadCommands } from "../src/cli/commands.ts";
import { configFileSchema } from "../src/config/config-file.ts";
import { ERROR_CODES } from "../src/core/error.ts";
import { eventSchema } from "../src/core/event.ts";
import type { DataParts } from "../src/dialects/ai-sdk/data-part.ts";
import { DIALECTS } from "../src/dialects/registry.ts";
import { routes } from "../src/protocol/route-table.ts";

const ROOT = resolve(import.meta.dirname, "..");
const DOCUMENTS = globSync("**/*.md", { cwd: ROOT, exclude: ["**/node_modules", "**/fixtures"] }).sort();

function read(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

/** Its headings as links name them. */
function anchors(document: string): Set<string> {
  const headings = document.replace(/^```.*?^```/gms, "").matchAll(/^#+ (.*)$/gm);
  return new Set(
    [...headings].map(([, text = ""]) =>
      text
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );
}

describe.each(DOCUMENTS)("%s", (path) => {
  const text = read(path);
  const prose = text.replace(/^```.*?^```/gms, "");

  test("every relative link leads somewhere", () => {
    const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
    const broken = links.filter((link) => {
      if (/^[a-z]+:/.test(link)) return false;
      const [file = "", anchor] = link.split("#");
      const target = file === "" ? path : join(dirname(path), file);
      if (!existsSync(join(ROOT, target))) return true;
      return anchor !== undefined && target.endsWith(".md") && !anchors(read(target)).has(anchor);
    });
    expect(broken).toEqual([]);
  });

  test("every file of the repository it names exists", () => {
    const named = prose.matchAll(/`((?:src|test|bench|bin|scripts|docs|examples)\/[\w./-]*)`/g);
    const files = [...named].map(([, file = ""]) => file).filter((file) => !/\b(NAME|AGENT)\b/.test(file));
    const missing = files.filter((file) => !existsSync(join(ROOT, file)));
    expect(missing).toEqual([]);
  });
});

test("the README begins with the two commands", () => {
  const [first, second] = [...read("README.md").matchAll(/```sh\n(.*?)```/gs)].map(([, command]) => command);
  expect([first, second]).toEqual(["npm ci && npm start\n", "npm ci && npm test\n"]);
});

test("docs/README.md leads to every page under docs/, but single decisions", () => {
  const index = read("docs/README.md");
  const pages = DOCUMENTS.filter((path) => /^docs\/(?!README|decisions)/.test(path));
  expect(pages).not.toEqual([]);
  expect(pages.filter((path) => !index.includes(`](${path.slice("docs/".length)}`))).toEqual([]);
});

test("examples/README.md names every example", () => {
  const files = globSync("examples/*", { cwd: ROOT }).filter((path) => !path.endsWith(".md"));
  const list = read("examples/README.md");
  expect(files).not.toEqual([]);
  expect(
    files.map((path) => path.slice("examples/".length)).filter((name) => !list.includes(`](${name})`)),
  ).toEqual([]);
});

test("ARCHITECTURE.md knows every room of src/", () => {
  const rooms = new Set(globSync("*/**/*.ts", { cwd: join(ROOT, "src") }).map((file) => file.split("/")[0]));
  const text = read("ARCHITECTURE.md");
  expect(rooms.size).toBeGreaterThan(0);
  expect([...rooms].filter((room) => !text.includes(`\`src/${room}/\``))).toEqual([]);
});

test("docs/guides/threat-model.md names a test for each attack that is held off", () => {
  const [, holds = ""] = read("docs/guides/threat-model.md")
    .split(/^## /m)
    .filter((part) => part !== "");
  const attacks = [...holds.matchAll(/^\| (?!attack|role|---)(.*) \|$/gm)].map(([, row = ""]) => row);
  expect(attacks.length).toBeGreaterThan(20);
  expect(attacks.filter((row) => !/`(?:src|test)\/[\w./-]+\.test\.ts`$/.test(row))).toEqual([]);
});

describe("docs/reference/events.md", () => {
  const text = read("docs/reference/events.md");
  const rows = new Map(
    [...text.matchAll(/^\| `([a-z.]+)` \|(.*?)\|/gm)].map(([, type = "", cell = ""]) => [type, cell]),
  );

  test.each(eventSchema.options.map((option) => [option.shape.type.value, option.shape] as const))(
    "%s with its fields",
    (type, shape) => {
      expect([...rows.keys()]).toContain(type);
      const documented = [...rows.get(type)!.matchAll(/`(\w+)\??`/g)].map(([, field]) => field);
      expect(documented.sort()).toEqual(ownFields(shape).sort());
    },
  );
});

/** Without those that every event may have, which are explained once. */
function ownFields(shape: object): string[] {
  const common = ["session", "seq", "at", "type", "turn", "message", "raw", "native", "parent"];
  // Where content can name a parent, it can name a task in the same way.
  if ("parent" in shape) common.push("task");
  return Object.keys(shape).filter((field) => !common.includes(field));
}

/** Where the routes under a path are described, if not with the others. */
const DIALECT_PAGES: Readonly<Record<string, string>> = {
  "/api/chat": "docs/reference/chat-api.md",
  "/agentsmithy": "docs/reference/agentsmithy-api.md",
};

describe("docs/reference/http-api.md and the pages of dialects", () => {
  const text = read("docs/reference/http-api.md");

  const tables = [routes, ...DIALECTS.map((dialect) => dialect.routes)];
  const all = tables.flatMap((table) => Object.values<{ method: string; path: string }>(table));
  test.each(all.map(({ method, path }) => `${method.toUpperCase()} ${path}`))("%s has a heading", (route) => {
    const own = Object.keys(DIALECT_PAGES).find((path) => route.includes(` ${path}`));
    const document = own === undefined ? text : read(DIALECT_PAGES[own]!);
    expect(document).toContain(`# \`${route}\`\n`);
  });

  test.each(Object.entries(ERROR_CODES))("error %s with its status and title", (code, { status, title }) => {
    expect(text).toContain(`| \`${code}\` | ${status} | ${title} |`);
  });
});

const commands = await loadCommands();

describe("docs/reference/command-line.md", () => {
  const text = read("docs/reference/command-line.md");

  test.each(commands.map(({ name, options }) => [name, options] as const))(
    "%s with its flags and variables",
    (name, options) => {
      const section = text.split(/^(?=## )/m).find((part) => part.startsWith(`## \`${name}`)) ?? "";
      const wanted = Object.entries(options).flatMap(([flag, { variable }]) => [
        `\`--${flag}`,
        ...(variable ? [`\`${variable}\``] : []),
      ]);
      expect(wanted.filter((word) => !section.includes(word))).toEqual([]);
    },
  );

  test("every key of the config file", () => {
    const limits = configFileSchema.shape.limits.unwrap();
    const keys = [...Object.keys(configFileSchema.shape), ...Object.keys(limits.shape)];
    const section = text.slice(text.indexOf("## Config file"));
    expect(keys.filter((key) => !section.includes(`\`${key}\``))).toEqual([]);
  });
});

test("the steps of docs/guides/writing-an-adapter.md are the files of the example, which is run", () => {
  const blocks = [...read("docs/guides/writing-an-adapter.md").matchAll(/^```\w+\n(.*?)^```/gms)];
  const shown = blocks.map(([, code]) => code);
  for (const file of ["package.json", "outbound.ts", "inbound.ts", "adapter.ts"])
    expect(shown, file).toContain(read(`examples/adapter/${file}`));
});

test("the steps of docs/guides/writing-a-dialect.md are the files of the example, which is run", () => {
  const blocks = [...read("docs/guides/writing-a-dialect.md").matchAll(/^```\w+\n(.*?)^```/gms)];
  const shown = blocks.map(([, code]) => code);
  for (const file of ["package.json", "view.ts", "dialect.ts"])
    expect(shown, file).toContain(read(`examples/dialect/${file}`));
});

test("docs/reference/mock-scenarios.md has every scenario", () => {
  const text = read("docs/reference/mock-scenarios.md");
  expect(SCENARIOS.map(({ name }) => name).filter((name) => !text.includes(`| \`${name}`))).toEqual([]);
});

test("docs/reference/ai-sdk-view.md has every data part", () => {
  const names: Record<keyof DataParts, true> = {
    ask: true,
    auth: true,
    compaction: true,
    discarded: true,
    "file-edit": true,
    notice: true,
    plan: true,
    subagent: true,
    "tool-output": true,
    "tool-progress": true,
    "tool-result": true,
    "tool-summary": true,
    "tool-update": true,
    usage: true,
  };
  const text = read("docs/reference/ai-sdk-view.md");
  expect(Object.keys(names).filter((name) => !text.includes(`| \`data-${name}\` |`))).toEqual([]);
});
