/** Random trees and random edits by an agent, a person and another session; then a restore, and what it may not do. */
import {
  appendFileSync,
  chmodSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import fc from "fast-check";
import { expect } from "vitest";
import type { RestorePlan, RestoreSpan, TurnSpan } from "../core/workspace.ts";
import { readRepository, readTree, runGit, SESSION, TestProject } from "./workspace-test-support.ts";

const FOLDERS = ["", "", "d", "d/e", "inner", "inner/deep", "ünï", "ignored", "a"];
const NAMES = ["a", "b", "c.log", "line\nbreak", "sp ace", "f\xff\xfe", ".gitignore", ":(glob)*"];

/** One of the few that a story is about, so that everybody meets everybody. */
const path = fc.nat(4);
const place = fc.record({ folder: fc.constantFrom(...FOLDERS), name: fc.constantFrom(...NAMES) });
const edit = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("write" as const), path, value: fc.nat(5) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("append" as const), path, value: fc.nat(5) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("delete" as const), path }) },
  { arbitrary: fc.record({ kind: fc.constant("delete-folder" as const), path }), weight: 1 },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("rename" as const), path, to: path }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("mode" as const), path, value: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("link" as const), path, to: path }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("touch" as const), path }) },
);

const act = fc.record({
  actor: fc.constantFrom("agent" as const, "agent" as const, "person" as const, "other" as const),
  edits: fc.array(edit, { minLength: 1, maxLength: 6 }),
});

export const story = fc.record({
  hasRepository: fc.boolean(),
  places: fc.array(place, { minLength: 2, maxLength: 5 }),
  before: fc.array(edit, { maxLength: 12 }),
  acts: fc.array(act, { minLength: 1, maxLength: 6 }),
  /** Which of the agent's turns the restore goes back to. */
  target: fc.nat(5),
  onConflict: fc.constantFrom("keep" as const, "merge" as const, "overwrite" as const),
});

type Edit = typeof edit extends fc.Arbitrary<infer Value> ? Value : never;
type Place = typeof place extends fc.Arbitrary<infer Value> ? Value : never;
export type Story = typeof story extends fc.Arbitrary<infer Value> ? Value : never;
type Tree = Record<string, string>;

/** What somebody did to one path. */
interface Touch {
  readonly isAgent: boolean;
  readonly after: string | undefined;
}

/** Plays it and restores; throws if anything of anybody else got lost, or anything of the agent was left without a word. */
export async function playStory(told: Story, files: number): Promise<void> {
  using project = new TestProject();
  prepare(project, told, files);
  const repositories = [...(told.hasRepository ? [".git"] : []), "inner/.git"];
  const before = repositories.map((name) => readRepository(project.path(name)));

  const turns: TurnSpan[] = [];
  const trees: Tree[] = [];
  const covered: Set<string>[] = [];
  const touches: { readonly act: number; readonly path: string; readonly touch: Touch }[] = [];
  const startOfTurn: number[] = [];
  for (const { actor, edits } of told.acts) {
    const session = actor === "other" ? "other" : SESSION;
    const start = actor === "person" ? undefined : await project.capture(session);
    const tree = readFiles(project);
    for (const each of edits) perform(project, told.places, each);
    const after = readFiles(project);
    for (const name of differing(tree, after))
      touches.push({
        act: trees.length,
        path: name,
        touch: { isAgent: actor === "agent", after: after[name] },
      });
    const end = actor === "person" ? undefined : await project.capture(session);
    if (actor === "agent") {
      startOfTurn.push(trees.length);
      turns.push({ before: start!, after: end! });
    }
    trees.push(tree);
    covered.push(new Set([...(start ? namesOf(project, start) : []), ...(end ? namesOf(project, end) : [])]));
  }
  if (turns.length === 0) return;

  const first = told.target % turns.length;
  const firstAct = startOfTurn[first]!;
  const target = turns[first]!.before;
  const then = trees[firstAct]!;
  const now = readFiles(project);
  const { directory, workspace } = project;
  const since = turns.slice(first);
  const request = { session: SESSION, directory, target, turns: since, onConflict: told.onConflict };
  const plan = await workspace.plan(request);
  expect(readFiles(project)).toEqual(now);
  const result = await workspace.apply({ directory, plan });
  const restored = readFiles(project);

  const atTarget = namesOf(project, target);
  const saved = namesOf(project, plan.checkpoint);
  const left = new Set([...plan.conflicts, ...result.kept].map(bytesOf));
  const own = touches.filter(({ act: at }) => at >= firstAct);
  const byPath = Map.groupBy(own, ({ path: name }) => name);
  const foreign = own.filter(({ touch }) => !touch.isAgent).map(({ path: name }) => name);

  for (const name of new Set([...differing(now, restored), ...byPath.keys()])) {
    const history = (byPath.get(name) ?? []).map(({ touch }) => touch);
    const sinceThen = history.slice(history.findLastIndex(({ after }) => after === then[name]) + 1);
    const isOthers = sinceThen.some(({ isAgent }) => !isAgent);
    if (restored[name] !== now[name]) {
      // Whatever is replaced or deleted can be had back.
      if (now[name] !== undefined) expect(saved, `${name} is in the checkpoint`).toContain(name);
      if (told.onConflict === "keep") {
        expect(isOthers, `${name} was somebody else's`).toBe(false);
      }
      // It becomes what it was, unless it was merged; what was there unseen never goes.
      if (told.onConflict !== "merge") expect(restored[name]).toBe(then[name]);
      if (then[name] !== undefined) expect(atTarget).toContain(name);
      continue;
    }
    if (restored[name] === then[name] || isOthers) continue;
    // Only the agent has touched it, and it stays: there must be a reason.
    const wasSeen = covered.every(
      (names, at) => at < firstAct || trees[at]![name] === undefined || names.has(name),
    );
    const isNew = then[name] === undefined;
    const isSeen = wasSeen && (now[name] === undefined || saved.has(name)) && (isNew || atTarget.has(name));
    if (!isSeen || (isNew && isIgnoredBy(then, name))) continue;
    expect(left, `${name} is left without a word`).toContain(name);
    const unseen = Object.keys(now).filter((each) => !saved.has(each));
    const inTheWay = [...foreign, ...unseen, ...left].filter((each) => each !== name);
    expect(
      inTheWay.some((each) => isRelated(each, name)),
      `nothing is in the way of ${name}`,
    ).toBe(true);
  }

  await expectUndone(project, plan, now);
  expect(repositories.map((name) => readRepository(project.path(name)))).toEqual(before);
}

/** Going back to the checkpoint that the restore made first gives exactly what was there. */
async function expectUndone(
  project: TestProject,
  { checkpoint, changes }: RestorePlan,
  now: Tree,
): Promise<void> {
  const { directory, workspace } = project;
  const restore: RestoreSpan = { changes };
  const request = { session: SESSION, directory, target: checkpoint, turns: [restore] };
  const undo = await workspace.plan({ ...request, onConflict: "refuse" });
  await workspace.apply({ directory, plan: undo });
  expect(readFiles(project)).toEqual(now);
}

function prepare(project: TestProject, { hasRepository, places, before }: Story, files: number): void {
  if (hasRepository) project.git("init", "-q");
  mkdirSync(project.path("inner"));
  runGit(project.path("inner"), "init", "-q");
  project.write(".gitignore", "*.log\nignored/\n");
  for (let at = 0; at < files; at += 1) project.write(`many/${at % 50}/${at}`, `${at}\n`);
  if (hasRepository) {
    project.git("add", ...(files > 0 ? ["many"] : []), ".gitignore");
    project.git("commit", "-qm", "first");
  }
  for (const each of before) perform(project, places, each);
}

function perform(project: TestProject, places: readonly Place[], action: Edit): void {
  const at = places[action.path % places.length]!;
  const name = nameOf(project, at);
  const content =
    at.name === ".gitignore" ? ["*.log\nignored/\n", "", "b\n"] : ["one\n", "two\n", "1\n2\n3\n"];
  try {
    switch (action.kind) {
      case "write":
        mkdirSync(project.path(at.folder), { recursive: true });
        return writeFileSync(name, content[action.value % 3]!);
      case "append":
        return appendFileSync(name, `more ${action.value}\n`);
      case "delete":
        return rmSync(name);
      case "delete-folder":
        if (at.folder === "" || at.folder.startsWith("inner")) return;
        return rmSync(project.path(at.folder), { recursive: true });
      case "rename":
        return renameSync(name, nameOf(project, places[action.to % places.length]!));
      case "mode":
        if (lstatSync(name).isFile()) chmodSync(name, action.value ? 0o755 : 0o644);
        return;
      case "link":
        return symlinkSync(places[action.to % places.length]!.name, name);
      case "touch":
        return chmodSync(name, lstatSync(name).mode & 0o777);
    }
  } catch (error) {
    // Not possible as things are.
    if (!(error as NodeJS.ErrnoException).code) throw error;
  }
}

function nameOf(project: TestProject, { folder, name }: Place): Buffer {
  const start = Buffer.from(`${project.directory}/${folder}${folder && "/"}`);
  return Buffer.concat([start, Buffer.from(name, "latin1")]);
}

/** Without directories and repositories, which no checkpoint has. */
function readFiles(project: TestProject): Tree {
  const entries = Object.entries(readTree(project.directory));
  return Object.fromEntries(
    entries.filter(([name, kind]) => kind !== "directory" && !/(^|\/)\.git(\/|$)/.test(name)),
  );
}

function namesOf(project: TestProject, checkpoint: string): Set<string> {
  const output = runGit(
    project.store,
    "-c",
    "core.quotePath=true",
    "ls-tree",
    "-r",
    "--name-only",
    checkpoint,
  );
  return new Set(output.split("\n").slice(0, -1).map(unquote));
}

/** Git quotes names as C does. */
function unquote(name: string): string {
  if (!name.startsWith('"')) return name;
  const escapes: Record<string, string> = { n: "\n", t: "\t" };
  return name
    .slice(1, -1)
    .replace(/\\([0-7]{3}|.)/g, (_, code: string) =>
      code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8)) : (escapes[code] ?? code),
    );
}

/** As `readTree` names it. */
function bytesOf(text: string): string {
  const bytes = [...text].map((character) => {
    const code = character.codePointAt(0)!;
    return code >= 0xdc80 && code <= 0xdcff ? Buffer.from([code - 0xdc00]) : Buffer.from(character);
  });
  return Buffer.concat(bytes).toString("latin1");
}

function differing(a: Tree, b: Tree): string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((name) => a[name] !== b[name]);
}

function isRelated(a: string, b: string): boolean {
  return a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`);
}

/** Rules of the tree may ignore it; those that ignore nothing are told apart by their size alone. */
function isIgnoredBy(tree: Tree, name: string): boolean {
  return (
    Object.keys(tree).some((each) => /(^|\/)\.gitignore$/.test(each)) &&
    /\.log$|ignored\/|(^|\/)b(\/|$)/.test(name)
  );
}
