/**
 * Random trees and random edits by an agent, a person and another session; then a restore, and what it may not do. What was
 * done is in `random-edits-test-support.ts`.
 */
import fc from "fast-check";
import { expect } from "vitest";
import type { RestorePlan, RestoreSpan, TurnSpan } from "../core/workspace.ts";
import {
  type Actor,
  type Edit,
  edit,
  isIgnoredBy,
  isOwnLine,
  isTracked,
  perform,
  place,
  prepare,
  type Rules,
  readRules,
} from "./random-edits-test-support.ts";
import {
  bytesOf,
  differing,
  linesOf,
  readFiles,
  type Tree,
  treeOf,
  whileUntouched,
} from "./random-trees-test-support.ts";
import { SESSION, TestProject } from "./workspace-test-support.ts";

const edits = fc.array(edit, { minLength: 1, maxLength: 6, size: "max" });

const act = fc.record({
  actor: weighted({ agent: 4, person: 3, other: 1, restore: 1 }),
  edits,
  /** Of another session, in the same time as an agent's turn; said by its tools or not. */
  beside: sometimes(fc.record({ edits, isSaid: fc.boolean() })),
});

export const story = fc.record({
  hasRepository: fc.boolean(),
  places: fc.array(place, { minLength: 1, maxLength: 3 }),
  before: fc.array(edit, { maxLength: 12 }),
  acts: fc.array(act, { minLength: 3, maxLength: 6, size: "max" }),
  /** Which of the agent's turns the restore goes back to. */
  target: fc.constantFrom(0, 0, 0, 1, 2),
  onConflict: weighted({ keep: 4, refuse: 2, merge: 2, overwrite: 1 }),
  /** What the person does between the plan and its execution. */
  late: sometimes(edits),
});

function weighted<Name extends string>(weights: Record<Name, number>): fc.Arbitrary<Name> {
  const names = Object.keys(weights) as Name[];
  return fc.constantFrom(...names.flatMap((name) => Array.from({ length: weights[name] }, () => name)));
}

function sometimes<Value>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> {
  return fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
}

export type Story = typeof story extends fc.Arbitrary<infer Value> ? Value : never;

/** What somebody did to one path. */
interface Touch {
  readonly act: number;
  readonly path: string;
  /** Of the session alone, its agent or a restore. */
  readonly isAgent: boolean;
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** New lines that nobody else has written. */
  readonly lines: readonly string[];
}

/** The files at a checkpoint, and what it has of them. */
interface Moment {
  readonly files: Tree;
  readonly checkpoint: Tree;
  readonly rules: Rules;
}

/** All that happened before the restore. */
interface Played {
  readonly touches: Touch[];
  /** The session's turns and restores, each with the act it was. */
  readonly spans: { readonly act: number; readonly span: TurnSpan | RestoreSpan }[];
  readonly moments: { readonly act: number; readonly moment: Moment }[];
  /** What the last checkpoint of anybody has. */
  covered: ReadonlySet<string>;
}

/** Plays it and restores; throws if anything of anybody else got lost, or anything of the agent was left without a word. */
export async function playStory(told: Story, files: number): Promise<void> {
  using project = new TestProject({ maxFileBytes: 400 });
  prepare(project, told, files);
  const played = await playActs(project, told);
  const turns = played.spans.filter(({ span }) => "before" in span);
  if (turns.length === 0) return;

  const { act: firstAct, span } = turns[told.target % turns.length]!;
  const target = (span as TurnSpan).before;
  const { directory, workspace } = project;
  const since = played.spans.filter((each) => each.act >= firstAct).map((each) => each.span);
  const request = { session: SESSION, directory, target, turns: since, onConflict: told.onConflict };
  const now = readFiles(project);
  const lines = linesOf(project);
  const plan = await whileUntouched(project, () => workspace.plan(request));
  expect(readFiles(project)).toEqual(now);
  const saved = treeOf(project, plan.checkpoint);
  if (told.onConflict === "refuse" && plan.conflicts.length > 0) return;

  for (const each of told.late ?? []) perform(project, told.places, each, "person");
  const atLast = readFiles(project);
  const late = differing(now, atLast);
  const result = await whileUntouched(project, () => workspace.apply({ directory, plan }));
  const restored = readFiles(project);
  for (const name of late) expect(restored[name], `${name} was just saved`).toBe(atLast[name]);
  const left = new Set([...plan.conflicts, ...result.kept].map(bytesOf));
  const after = { restored, restoredLines: linesOf(project), saved, left, late };
  checkRestore({ told, played, firstAct, now, lines, ...after });
  await checkUndone(project, plan, { now, atLast, late });
}

async function playActs(project: TestProject, told: Story): Promise<Played> {
  const { directory, workspace } = project;
  const played: Played = { touches: [], spans: [], moments: [], covered: new Set() };
  for (const [at, { actor, edits: own, beside }] of told.acts.entries()) {
    const capture = async (session: string) => {
      const id = await whileUntouched(project, () => project.capture(session));
      const moment = {
        files: readFiles(project),
        checkpoint: treeOf(project, id),
        rules: readRules(project),
      };
      checkMoment(moment, linesOf(project));
      checkIgnored(project, moment, played.covered);
      played.covered = new Set(Object.keys(moment.checkpoint));
      played.moments.push({ act: at, moment });
      return id;
    };
    const work = (by: Actor, done: readonly Edit[]) => {
      const before = readFiles(project);
      const lines = linesOf(project);
      for (const each of done) perform(project, told.places, each, by);
      return noteTouches(project, { at, before, lines });
    };
    if (actor === "person") {
      played.touches.push(...work("person", own).map((touch) => ({ ...touch, isAgent: false })));
      continue;
    }
    if (actor === "restore") {
      const spans = played.spans;
      const target = spans.map(({ span }) => span).findLast((span): span is TurnSpan => "before" in span);
      if (!target) continue;
      const first = spans.findIndex(({ span }) => span === target);
      const turns = spans.slice(first).map(({ span }) => span);
      const before = readFiles(project);
      const lines = linesOf(project);
      const plan = await workspace.plan({
        session: SESSION,
        directory,
        target: target.before,
        turns,
        onConflict: "keep",
      });
      await whileUntouched(project, () => workspace.apply({ directory, plan }));
      played.touches.push(...noteTouches(project, { at, before, lines }));
      spans.push({ act: at, span: { changes: plan.changes } });
      played.covered = new Set(Object.keys(treeOf(project, plan.checkpoint)));
      continue;
    }
    const session = actor === "other" ? "other" : SESSION;
    const start = await capture(session);
    const ownTouches = work(actor, own);
    const others = actor === "agent" && beside ? work("other", beside.edits) : [];
    const end = await capture(session);
    if (actor === "other") {
      played.touches.push(...ownTouches.map((touch) => ({ ...touch, isAgent: false })));
      continue;
    }
    // As the engine tells them apart.
    const paths = (touches: readonly Touch[]) => new Set(touches.map(({ path }) => path));
    const [mine, theirs] = [paths(ownTouches), paths(others)];
    const all = [...new Set([...mine, ...theirs])];
    const isSaid = beside?.isSaid ?? true;
    const foreign = isSaid ? all.filter((path) => theirs.has(path) && !mine.has(path)) : [];
    const mixed =
      others.length === 0 ? [] : all.filter((path) => !isSaid || (mine.has(path) && theirs.has(path)));
    const isAgent = (path: string) => !foreign.includes(path) && !mixed.includes(path);
    played.touches.push(
      ...[...ownTouches, ...others].map((touch) => ({ ...touch, isAgent: isAgent(touch.path) })),
    );
    const asText = (names: readonly string[]) => names.map(textOf);
    played.spans.push({
      act: at,
      span: { before: start, after: end, foreign: asText(foreign), mixed: asText(mixed) },
    });
  }
  return played;
}

/** Whatever a checkpoint has is right, and it has all that is neither ignored nor too large. */
function checkMoment(
  { files, checkpoint, rules }: Moment,
  lines: ReadonlyMap<string, readonly string[]>,
): void {
  for (const name of differing(files, checkpoint)) {
    expect(checkpoint[name], `${name} is wrong in a checkpoint`).toBeUndefined();
    const isLarge = lines.get(name)?.includes("large");
    expect(isLarge || isIgnoredBy(rules, name), `${name} is missing in a checkpoint`).toBe(true);
  }
}

/** No ignored file comes in, unless the person's repository has it. */
function checkIgnored(
  project: TestProject,
  { checkpoint, rules }: Moment,
  covered: ReadonlySet<string>,
): void {
  // Which rules hold in a repository that comes and goes is another matter.
  const isCertain = (name: string) => !name.startsWith("d/") && isIgnoredBy(rules, name);
  const added = Object.keys(checkpoint).filter((name) => isCertain(name) && !covered.has(name));
  const unexpected = added.filter((name) => !isTracked(project, name));
  expect(unexpected, "ignored files in a checkpoint").toEqual([]);
}

function noteTouches(
  project: TestProject,
  { at, before, lines }: { at: number; before: Tree; lines: ReadonlyMap<string, readonly string[]> },
): Touch[] {
  const after = readFiles(project);
  const linesAfter = linesOf(project);
  return differing(before, after).map((path) => ({
    act: at,
    path,
    isAgent: true,
    before: before[path],
    after: after[path],
    lines: (linesAfter.get(path) ?? []).filter((line) => isOwnLine(line) && !lines.get(path)?.includes(line)),
  }));
}

interface Restored {
  readonly told: Story;
  readonly played: Played;
  readonly firstAct: number;
  readonly now: Tree;
  readonly lines: ReadonlyMap<string, readonly string[]>;
  readonly restored: Tree;
  readonly restoredLines: ReadonlyMap<string, readonly string[]>;
  readonly saved: Tree;
  readonly left: ReadonlySet<string>;
  /** What a person did while it ran: that is another matter. */
  readonly late: readonly string[];
}

function checkRestore({
  told,
  played,
  firstAct,
  now,
  lines,
  restored,
  restoredLines,
  saved,
  left,
  late,
}: Restored): void {
  const moments = played.moments.filter(({ act: at }) => at >= firstAct).map(({ moment }) => moment);
  const { files: then, checkpoint: atTarget } = moments[0]!;
  const touches = played.touches.filter(({ act: at }) => at >= firstAct);
  const byPath = Map.groupBy(touches, ({ path }) => path);
  const others = touches.filter(({ isAgent }) => !isAgent).map(({ path }) => path);
  const spans = played.spans.filter(({ act: at }) => at >= firstAct).map(({ span }) => span);
  const mixed = new Set(spans.flatMap((span) => ("before" in span ? (span.mixed ?? []) : [])).map(bytesOf));
  const unseen = new Set(
    [...moments, { files: now, checkpoint: saved }].flatMap(({ files, checkpoint }) =>
      differing(files, checkpoint),
    ),
  );

  for (const name of new Set([...differing(now, restored), ...byPath.keys()])) {
    if (late.some((each) => isRelated(each, name))) continue;
    const history = byPath.get(name) ?? [];
    const sinceThen = history.slice(history.findLastIndex(({ after }) => after === then[name]) + 1);
    // What it is now may be what the agent left, or come from what it was then.
    const isOthers = [history, sinceThen].every((each) => isLeftByOthers(each, then[name]));
    if (restored[name] !== now[name]) {
      // Whatever is replaced or deleted can be had back.
      if (now[name] !== undefined) expect(saved[name], `${name} is in the checkpoint`).toBe(now[name]);
      if (told.onConflict === "keep" || told.onConflict === "refuse")
        expect(isOthers, `${name} was somebody else's`).toBe(false);
      if (told.onConflict === "merge" && isOthers) {
        const kept = history.filter(({ isAgent }) => !isAgent).flatMap((touch) => touch.lines);
        for (const line of kept.filter((each) => lines.get(name)?.includes(each)))
          expect(restoredLines.get(name), `a line of somebody else in ${name}`).toContain(line);
      } else expect(restored[name], `${name} is what it was`).toBe(then[name]);
      // What was there unseen never goes.
      expect(atTarget[name], `${name} was covered`).toBe(then[name]);
      continue;
    }
    if (restored[name] === then[name] || !history.some(({ isAgent }) => isAgent)) continue;
    // The agent has touched it, and it stays: that is said, unless there was something that no checkpoint has.
    if (unseen.has(name) || moments.some(({ rules }) => isIgnoredBy(rules, name))) continue;
    // A merge finds nothing of the agent in it.
    if (isOthers && told.onConflict === "merge") continue;
    expect(left, `${name} is left without a word`).toContain(name);
    // What may be anybody's is somebody else's, also if nothing of it is left.
    if (isOthers || mixed.has(name)) continue;
    const inTheWay = [...others, ...unseen, ...left].filter((each) => each !== name);
    expect(
      inTheWay.some((each) => isRelated(each, name)),
      `nothing is in the way of ${name}`,
    ).toBe(true);
  }
}

/** Going back to the checkpoint that the restore made first gives exactly what was there, but for what was saved meanwhile. */
async function checkUndone(
  project: TestProject,
  { checkpoint, changes }: RestorePlan,
  { now, atLast, late }: { now: Tree; atLast: Tree; late: readonly string[] },
): Promise<void> {
  const { directory, workspace } = project;
  const restore: RestoreSpan = { changes };
  const request = { session: SESSION, directory, target: checkpoint, turns: [restore] };
  const undo = await workspace.plan({ ...request, onConflict: "keep" });
  await whileUntouched(project, () => workspace.apply({ directory, plan: undo }));
  const undone = readFiles(project);
  const rules = readRules(project);
  const planned = new Map(changes.map(({ path, to }) => [bytesOf(path), to && `${to.mode} ${to.id}`]));
  for (const name of new Set([...differing(now, undone), ...late])) {
    // Who did by hand what the restore was about to do cannot be told from it.
    if (planned.has(name) && planned.get(name) === atLast[name]) continue;
    if (late.includes(name)) expect(undone[name], `${name} was saved meanwhile`).toBe(atLast[name]);
    // A file that came back and is ignored by now is nobody's to delete.
    else if (now[name] === undefined && isIgnoredBy(rules, name)) continue;
    else if (!late.some((each) => isRelated(each, name)))
      expect(undone[name], `${name} is as before the restore`).toBe(now[name]);
  }
}

/** Whether anybody else left it other than they found it, before the agent's next turn or the end. */
function isLeftByOthers(touches: readonly Touch[], then: string | undefined): boolean {
  let found = then;
  return touches.some(({ isAgent, after }, at) => {
    if (isAgent) found = after;
    const isLast = touches[at + 1]?.isAgent ?? true;
    return !isAgent && isLast && after !== found;
  });
}

function isRelated(a: string, b: string): boolean {
  return a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`);
}

/** As the workspace names it. */
function textOf(name: string): string {
  const bytes = Buffer.from(name, "latin1");
  const text = bytes.toString();
  if (Buffer.from(text).equals(bytes)) return text;
  return [...name]
    .map((each) => (each > "\x7f" ? String.fromCharCode(0xdc00 + each.charCodeAt(0)) : each))
    .join("");
}
