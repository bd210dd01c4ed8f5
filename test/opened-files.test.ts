/**
 * docs/reference/opened-files.md lists every source file that opens files or starts programs. A new one has to be listed
 * there, and its author has to say who chooses the path and what bounds the read.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { describe, expect, test } from "vitest";

const ROOT = resolve(import.meta.dirname, "..");
const PAGE = "docs/reference/opened-files.md";
const BY_OTHERS = "Chosen by others";
const OWN = "Our own";

/** Modules of Node and of others that open files or start programs. */
const MODULES = /^(?:node:(?:fs|fs\/promises|child_process|sqlite|worker_threads)|@ai-sdk\/mcp\/mcp-stdio)$/;

/** Modules of ours that do it for others. Their importers choose the path or the program. */
const OPENERS = [
  /^src\/files\//,
  /^src\/workspace\/(?:run-)?git\.ts$/,
  /^src\/agents\/transport\/(?:glob-files|memory-files|run-program)\.ts$/,
];

/** Exports of these modules that open nothing. */
const HARMLESS = new Set([
  ...["constants", "parentPort", "workerData"],
  ...["assertRegular", "matchesPattern", "MAX_FILE_BYTES"],
  ...["BYTES", "GitError", "GitTimeoutError", "NO_OBJECT", "zeroSeparated"],
]);

/** Opens a path whatever is there: a pipe would block, a device would never end, a link would be followed. */
const OPENS =
  /^(?:appendFile|copyFile|cp|createReadStream|createWriteStream|DatabaseSync|open|openAsBlob|readFile|truncate|watch|writeFile)(?:Sync)?$/;

/** Files that may open a path of others, with the reason why each is bounded. */
const MAY_OPEN: Readonly<Record<string, string>> = {
  "src/files/held-directory.ts": "directories only, no links",
  "src/files/regular-file.ts": "the reader",
  "src/cli/run/attached-file.ts": "a pipe that the user's shell opened",
  "src/agents/mock/program/conversation.ts": "in the mock's own process",
  "src/agents/mock/program/scenarios/demo.ts": "in the mock's own process",
  "src/agents/mock/program/scenarios/files.ts": "in the mock's own process",
  "src/agents/mock/program/scenarios/todo.ts": "in the mock's own process",
  "src/agents/model/history.ts": "makes a new file",
  "src/agents/model/program/tools/files/change-file.ts": "makes a new file in a directory that is held",
  "src/agents/model/program/tools/files/confined-directory.ts": "directories only, no links",
  "src/agents/model/program/tools/files/read-bytes.ts":
    "regular files only, bounded, in the agent's own process",
  "src/agents/model/program/tools/result-store.ts": "in the agent's own process",
  "src/agents/opencode/event-reader/main.ts": "in a process of its own, which is ended",
  "src/agents/transport/memory-files.ts": "makes a new file",
  "src/process/linux-process-table.ts": "files of the kernel",
  "src/server/agentsmithy-port/status-file.ts": "makes new files",
  "src/workspace/restore/apply-plan.ts": "makes new files, and opens no link",
  "src/workspace/restore/disk-file.ts": "no links, never waits, as many bytes as the file should have",
  "src/workspace/restore/staged-files.ts": "makes new files",
  "src/workspace/worktrees.ts": "records in the data directory",
};

/** Starts a program. With one that others choose only these may: their children have a group, a limit and an end. */
const STARTS = /^(?:exec|execFile|execFileSync|execSync|fork|spawn|spawnSync)$/;
const STARTERS = [
  "src/agents/model/program/tools/command/run-shell.ts",
  "src/process/spawn-agent.ts",
  "src/workspace/git.ts",
  "src/workspace/run-git.ts",
];

const SOURCES = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts") && !/\.test\.ts$|test-support\.ts$|\/fixtures\//.test(file))
  .map((file) => `src/${file}`)
  .sort();

/** By the file, the names of what it opens or starts with. */
const OPENING = new Map(
  SOURCES.map((file) => [file, opened(file, readFileSync(join(ROOT, file), "utf8"))] as const).filter(
    ([, names]) => names.length > 0,
  ),
);

function opened(file: string, source: string): string[] {
  const names: string[] = [];
  for (const [, clause = "", from = ""] of source.matchAll(
    /^(?:im|ex)port (?!type\b)([^;"]*?) from "([^"]+)"/gm,
  )) {
    const module = from.startsWith(".") ? relative(ROOT, resolve(ROOT, file, "..", from)) : from;
    if (!MODULES.test(module) && !OPENERS.some((opener) => opener.test(module))) continue;
    names.push(...namesIn(clause).filter((name) => !HARMLESS.has(name)));
  }
  // By the port to processes.
  if (/\.spawn\(/.test(withoutComments(source))) names.push(".spawn()");
  return names;
}

function withoutComments(source: string): string {
  return source.replace(/\/\*.*?\*\//gs, "").replace(/\/\/.*$/gm, "");
}

/** `{ a, type B, c as d }` has a and c; `* as fs` and a default import have all. */
function namesIn(clause: string): string[] {
  const inBraces = /^\{(.*)\}$/s.exec(clause.trim())?.[1];
  if (inBraces === undefined) return ["*"];
  const each = inBraces.split(",").map((name) => name.trim());
  return each.filter((name) => name !== "" && !name.startsWith("type ")).map((name) => name.split(" ")[0]!);
}

interface Row {
  readonly files: readonly string[];
  readonly cells: readonly string[];
}

const page = readFileSync(join(ROOT, PAGE), "utf8");

function rowsUnder(heading: string): Row[] {
  const section = page.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? "";
  return [...section.matchAll(/^\| (`src\/.*) \|$/gm)].map(([, row = ""]) => {
    const [first = "", ...cells] = row.split(" | ");
    return { files: [...first.matchAll(/`(src\/[^`]+)`/g)].map(([, file = ""]) => file), cells };
  });
}

const byOthers = rowsUnder(BY_OTHERS);
const own = rowsUnder(OWN);
const listed = [...byOthers, ...own].flatMap(({ files }) => files);

describe(PAGE, () => {
  test("a file that opens files or starts programs is listed", () => {
    expect(OPENING.size).toBeGreaterThan(0);
    const missing = [...OPENING].filter(([file]) => !listed.includes(file));
    const remedy = `Add a row to ${PAGE}: under "${BY_OTHERS}", with its bound, where a repository, an agent, a client or a prompt can choose the path or the program; else under "${OWN}".`;
    expect(
      missing.map(([file, names]) => `${file} uses ${names.join(", ")}`),
      remedy,
    ).toEqual([]);
  });

  test("a file that is listed opens something", () => {
    const idle = listed.filter((file) => !OPENING.has(file));
    expect(idle, `These open nothing. Take them out of ${PAGE}.`).toEqual([]);
  });

  test("no file is listed twice", () => {
    expect(listed.filter((file, index) => listed.indexOf(file) !== index)).toEqual([]);
  });

  test("each row under Chosen by others says what is opened, who chooses it, and its bound", () => {
    expect(byOthers).not.toEqual([]);
    const short = byOthers.filter(({ cells }) => cells.length !== 3 || cells.some((cell) => cell.length < 3));
    expect(short.map(({ files }) => files.join())).toEqual([]);
  });
});

describe("with a path of others", () => {
  const foreign = byOthers.flatMap(({ files }) => files);
  const usersOf = (names: RegExp, allowed: readonly string[]) =>
    foreign.filter((file) => !allowed.includes(file) && OPENING.get(file)?.some((name) => names.test(name)));

  test("nothing is opened but by a reader that is bounded", () => {
    const remedy =
      "Read it with src/files/regular-file.ts: regular files only, up to a limit. Make new files with the flag wx, and say so in MAY_OPEN of this test.";
    expect(usersOf(OPENS, Object.keys(MAY_OPEN)), remedy).toEqual([]);
  });

  test("nothing is started but in a group that is ended", () => {
    const remedy = "Start it with ProcessHost, or as a git of src/workspace.";
    expect(usersOf(STARTS, STARTERS), remedy).toEqual([]);
  });

  test("what may open is listed there, and opens", () => {
    const may = Object.keys(MAY_OPEN);
    expect(may.filter((file) => !OPENING.get(file)?.some((name) => OPENS.test(name)))).toEqual([]);
    expect(may.filter((file) => !foreign.includes(file))).toEqual([]);
  });
});

test("every import of these modules names what it uses, so that the list can know", () => {
  const all = [...OPENING].filter(([, names]) => names.includes("*")).map(([file]) => file);
  const hidden = SOURCES.filter((file) =>
    /(?:import|require|getBuiltinModule)\(\s*"(?:node:)?(?:fs|child_process|sqlite|worker_threads)/.test(
      readFileSync(join(ROOT, file), "utf8"),
    ),
  );
  expect([...all, ...hidden]).toEqual([]);
});

test("the names of an import are found however it is written", () => {
  expect(namesIn("{\n  open,\n  type FileHandle,\n  readFile as read,\n}")).toEqual(["open", "readFile"]);
  expect(namesIn("* as fs")).toEqual(["*"]);
  expect(namesIn("fs")).toEqual(["*"]);
  expect(opened("src/x.ts", 'import type { Stats } from "node:fs";\n')).toEqual([]);
  expect(opened("src/cli/x.ts", 'import { readRegularFile } from "../files/regular-file.ts";\n')).toEqual([
    "readRegularFile",
  ]);
});
