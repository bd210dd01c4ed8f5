/** Checkpoints of large directories beside `git status` on the same files: the first, and after a small change. */
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { openWorkspace } from "../src/workspace/open-workspace.ts";
import { temporaryDirectory } from "../test/crash/daemon-process.ts";
import type { Benchmark, Figure } from "./harness/benchmark.ts";
import { quantile } from "./harness/quantile.ts";
import { commitAll, SETTLED_MS, writeFiles } from "./harness/sample-project.ts";

const SESSION = "session";
const CHANGES = 5;

const runProgram = promisify(execFile);

interface Project {
  readonly label: string;
  readonly files: number;
  readonly hasRepository: boolean;
}

export const workspace: Benchmark = {
  name: "workspace",
  summary: "checkpoints of 200, 20,000 and 100,000 files, the first and after a change, beside git status",
  async run({ rounds, size }) {
    const projects: Project[] = [
      { label: "200 files", files: size(200, 5), hasRepository: true },
      { label: "20,000 files", files: size(20_000, 20), hasRepository: true },
      { label: "20,000 files without a repository", files: size(20_000, 20), hasRepository: false },
      { label: "100,000 files", files: size(100_000, 20), hasRepository: true },
    ];
    const figures: Figure[] = [];
    const settledMs = size(SETTLED_MS, 1);
    for (const project of projects) figures.push(...(await measureProject(project, rounds, settledMs)));
    return figures;
  },
};

async function measureProject(project: Project, rounds: number, settledMs: number): Promise<Figure[]> {
  await using temporary = await temporaryDirectory();
  const directory = join(temporary.path, "project");
  await writeFiles(directory, project.files);
  if (project.hasRepository) await commitAll(directory);
  await sleep(settledMs);
  const first: number[] = [];
  const unchanged: number[] = [];
  const changed: number[] = [];
  const status: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const opened = openWorkspace({
      directory: join(temporary.path, `data-${round}`, "workspaces"),
      limits: { minFreeBytes: 0 },
    });
    const capture = () => opened.capture({ session: SESSION, directory });
    first.push(await timeOf(capture));
    for (let change = 0; change < CHANGES; change += 1) {
      if (project.hasRepository)
        status.push(await timeOf(() => runProgram("git", ["status"], { cwd: directory })));
      unchanged.push(await timeOf(capture));
      await writeFile(join(directory, "folder-1", "file-1.txt"), `round ${round}, change ${change}\n`);
      changed.push(await timeOf(capture));
    }
  }
  const median = (values: readonly number[]) => quantile(values, 0.5);
  const baseline = project.hasRepository ? { baseline: { name: "git status", value: median(status) } } : {};
  const figure = (name: string, values: readonly number[]): Figure => ({
    name: `${name}, ${project.label}`,
    unit: "ms",
    value: median(values),
    ...baseline,
  });
  return [
    figure("first checkpoint", first),
    figure("checkpoint, nothing changed", unchanged),
    figure("checkpoint, one file changed", changed),
  ];
}

async function timeOf(action: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await action();
  return performance.now() - startedAt;
}
