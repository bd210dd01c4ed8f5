/** A session whose agent has changed a file, and restores that are stopped half way, for tests of what happens meanwhile. */
import { expect } from "vitest";
import { checkLog } from "../../core/check-log.ts";
import type { RestoreFiles } from "../../protocol/commands/command-types.ts";
import { TESTER } from "../../testkit/tester.ts";
import { create, type OpenOptions } from "../engine.test-support.ts";
import type { CopyingWorkspace } from "./copying-workspace.test-support.ts";
import { openProject } from "./project.test-support.ts";

export type Project = Awaited<ReturnType<typeof openProject>>;

/** A session whose agent has changed a file in its one turn. */
export async function openChanged(options: OpenOptions = {}) {
  const project = await openProject(options);
  project.write("a.txt", "one");
  await create(project.engine, "s", { cwd: project.cwd });
  await project.turn(() => project.write("a.txt", "two"));
  return project;
}

/** The next call of that kind waits until the gate is opened. Resolves when it has come. */
export function gateOf(workspace: CopyingWorkspace, step: "onApply" | "onCapture") {
  const gate = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  workspace[step] = () => {
    reached.resolve();
    return gate.promise;
  };
  return { open: gate.resolve, reached: reached.promise };
}

/** A restore that has come as far as its files, or its plan. */
export async function beginRestore(
  { engine, latest, workspace }: Project,
  step: "onApply" | "onCapture",
  more: Partial<RestoreFiles> = {},
) {
  const checkpoint = await latest("before");
  const { open, reached } = gateOf(workspace, step);
  const restoring = engine.run("restore", { session: "s", checkpoint, ...more }, TESTER);
  restoring.catch(() => {});
  await reached;
  return { restoring, open };
}

export async function expectWhole({ events }: Project) {
  expect(checkLog(await events(), { complete: true })).toEqual([]);
}
