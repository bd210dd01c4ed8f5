/** Random edits of a few files, so that everybody meets everybody, and the ignore rules among them. */
import {
  appendFileSync,
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import fc from "fast-check";
import { runGit, type TestProject } from "./workspace-test-support.ts";

const FOLDERS = ["", "", "", "d", "d", "d/e", "inner", "inner", "inner/deep", "ünï", "ignored", "a"];
const NAMES = ["a", "b", "c.log", "line\nbreak", "sp ace", "f\xff\xfe", ".gitignore", ":(glob)*"];
const RULES = ["*.log\nignored/\n", "", "b\n"];

/** One of the few that a story is about. */
const path = fc.nat(4);

export const place = fc.record({ folder: fc.constantFrom(...FOLDERS), name: fc.constantFrom(...NAMES) });

export const edit = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("write" as const), path, value: fc.nat(5) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("append" as const), path }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("prepend" as const), path }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("delete" as const), path }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("delete-folder" as const), path }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("rename" as const), path, to: path }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("mode" as const), path, value: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("link" as const), path, to: path }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("touch" as const), path }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("enlarge" as const), path }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("rules" as const), path, value: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("track" as const), path }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("repository" as const), path }) },
);

export type Edit = typeof edit extends fc.Arbitrary<infer Value> ? Value : never;
export type Place = typeof place extends fc.Arbitrary<infer Value> ? Value : never;
export type Actor = "agent" | "person" | "other";

/** Lines of each rule file, by its folder: empty, or ending with a slash. */
export type Rules = ReadonlyMap<string, readonly string[]>;

interface Prepared {
  readonly hasRepository: boolean;
  readonly places: readonly Place[];
  readonly before: readonly Edit[];
}

export function prepare(
  project: TestProject,
  { hasRepository, places, before }: Prepared,
  files: number,
): void {
  if (hasRepository) project.git("init", "-q", "--template=");
  mkdirSync(project.path("inner"));
  runGit(project.path("inner"), "init", "-q", "--template=");
  project.write(".gitignore", RULES[0]!);
  for (let at = 0; at < files; at += 1) project.write(`many/${at % 50}/${at}`, `${at}\n`);
  if (hasRepository) {
    project.git("add", ...(files > 0 ? ["many"] : []), ".gitignore");
    project.git("commit", "-qm", "first");
  }
  for (const each of before) perform(project, places, each, "person");
}

let lines = 0;

/** A line that nobody else writes. */
function newLine(actor: Actor): string {
  lines += 1;
  return `${actor} ${lines}\n`;
}

export function isOwnLine(line: string): boolean {
  return /^(agent|person|other) \d+$/.test(line);
}

export function perform(project: TestProject, places: readonly Place[], action: Edit, actor: Actor): void {
  const at = places[action.path % places.length]!;
  const name = nameOf(project, at);
  const isRules = at.name === ".gitignore";
  const folder = project.path(at.folder);
  try {
    switch (action.kind) {
      case "write": {
        mkdirSync(folder, { recursive: true });
        // Some contents come again and again, some are somebody's own.
        const own = `${newLine(actor)}${"x\n".repeat(10)}`;
        const content = isRules ? RULES[action.value % 3]! : (["one\n", "two\n"][action.value] ?? own);
        return writeFileSync(name, content);
      }
      case "append":
        mkdirSync(folder, { recursive: true });
        return appendFileSync(name, newLine(actor));
      case "prepend":
        return writeFileSync(name, newLine(actor) + readFileSync(name, "latin1"), "latin1");
      case "enlarge":
        if (!isRules) appendFileSync(name, "large\n".repeat(100));
        return;
      case "delete":
        return rmSync(name);
      case "delete-folder":
        if (at.folder === "" || at.folder.startsWith("inner")) return;
        return rmSync(folder, { recursive: true });
      case "rename":
        return renameSync(name, nameOf(project, places[action.to % places.length]!));
      case "mode":
        if (lstatSync(name).isFile()) chmodSync(name, action.value ? 0o755 : 0o644);
        return;
      case "link":
        return symlinkSync(places[action.to % places.length]!.name, name);
      case "touch":
        return chmodSync(name, lstatSync(name).mode & 0o777);
      case "rules":
        return writeFileSync(`${folder}/.gitignore`, RULES[action.value]!);
      case "track":
        if (existsSync(project.path(".git"))) project.git("add", "-f", "--", at.folder || ".gitignore");
        return;
      case "repository":
        // One that comes and goes.
        if (existsSync(project.path("d/.git"))) return rmSync(project.path("d/.git"), { recursive: true });
        if (existsSync(project.path("d"))) runGit(project.path("d"), "init", "-q", "--template=");
    }
  } catch (error) {
    // Not possible as things are.
    const { code, status } = error as { code?: string; status?: number };
    if (code === undefined && status === undefined) throw error;
  }
}

export function readRules(project: TestProject): Rules {
  const rules = new Map<string, readonly string[]>();
  for (const folder of FOLDERS) {
    const name = project.path(`${folder}/.gitignore`);
    // A link to rules is none.
    if (!existsSync(name) || !lstatSync(name).isFile()) continue;
    const key = Buffer.from(folder && `${folder}/`).toString("latin1");
    rules.set(key, readFileSync(name, "latin1").split("\n"));
  }
  return rules;
}

/** Whether they may ignore it: the rules of an outer repository do not hold in an inner one. */
export function isIgnoredBy(rules: Rules, name: string): boolean {
  return [...rules].some(([folder, patterns]) => {
    if (!name.startsWith(folder) || (name.startsWith("inner/") && !folder.startsWith("inner/"))) return false;
    const parts = name.slice(folder.length).split("/");
    return (
      (patterns.includes("b") && parts.includes("b")) ||
      (patterns.includes("*.log") && parts.some((part) => part.endsWith(".log"))) ||
      (patterns.includes("ignored/") && parts.slice(0, -1).includes("ignored"))
    );
  });
}

/** Whether the person's repository has it. */
export function isTracked(project: TestProject, name: string): boolean {
  if (!existsSync(project.path(".git"))) return false;
  return project
    .git("-c", "core.quotePath=false", "ls-files", "-z")
    .split("\0")
    .includes(Buffer.from(name, "latin1").toString());
}

function nameOf(project: TestProject, { folder, name }: Place): Buffer {
  const start = Buffer.from(`${project.directory}/${folder}${folder && "/"}`);
  return Buffer.concat([start, Buffer.from(name, "latin1")]);
}
