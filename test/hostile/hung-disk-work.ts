/**
 * Works with a disk that does not answer, in a process of its own: what waits for the disk holds its place in the gate for good.
 * Prints how many threads wait for the disk, and what came of the work.
 */
import fs, { type PathLike } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { mock } from "node:test";

const MOST_MS = 30_000;

let hung: string | undefined;
let waiting = 0;

type Ask = (path: PathLike, ...more: unknown[]) => Promise<unknown>;

function hanging(ask: Ask): Ask {
  return (path, ...more) => {
    if (hung === undefined || !String(path).startsWith(hung)) return ask(path, ...more);
    waiting += 1;
    return new Promise(() => {});
  };
}

const { lstat, open, realpath, stat } = fs.promises as unknown as Record<string, Ask>;
Object.assign(fs.promises, {
  lstat: hanging(lstat!),
  open: hanging(open!),
  realpath: hanging(realpath!),
  stat: hanging(stat!),
});
syncBuiltinESMExports();

const { TestProject } = await import("../../src/workspace/workspace-test-support.ts");
const { attributeChanges } = await import("../../src/engine/files/attribute-changes.ts");
const { readTextFile } = await import("../../src/agents/acp/client-files.ts");

using project = new TestProject();
const { workspace, directory } = project;
project.git("init", "-q");
project.write("file", "content\n");
const disk = project.path("disk");
project.git("config", "core.excludesFile", join(disk, "rules"));

const WORK: Readonly<Record<string, () => Promise<unknown>>> = {
  checkpoint: () => workspace.capture({ session: "hung", directory: disk }),
  kept: () => workspace.findKept(disk, ["checkpoint"]),
  obstacle: () => workspace.obstacle(disk),
  excludes: () => workspace.capture({ session: "project", directory }),
  attribution: () =>
    attributeChanges(
      [{ path: "file", status: "modified", additions: 1, deletions: 1 }],
      { cwd: directory, edited: [join(disk, "file")] },
      [],
    ),
  agent: () => readTextFile(directory, { path: join(disk, "file") }),
};

function outcomeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "answered",
    (error: Error) => error.message,
  );
}

const [name = "", times = ""] = process.argv.slice(2);
hung = disk;
const { promise: never, resolve: giveUp } = Promise.withResolvers<string>();
setTimeout(giveUp, MOST_MS, "waits for good").unref();
mock.timers.enable({ apis: ["setTimeout"] });
const work = Array.from({ length: Number(times) }, () => Promise.race([outcomeOf(WORK[name]!()), never]));
while (waiting === 0) await new Promise(setImmediate);
// All of them have come to the disk by then.
for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate);
mock.timers.tick(10_000);
const outcomes = [...new Set(await Promise.all(work))];
process.stdout.write(JSON.stringify({ waiting, outcomes }));
