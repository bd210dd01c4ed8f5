import { appendFileSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { unifiedDiff } from "../../../../core/unified-diff.ts";
import { readIfThere, readText } from "../read-text.ts";
import type { Scenario } from "../scenario.ts";

const WRITTEN = "mock-written.txt";
const BY_SHELL = "mock-by-shell.txt";
const REMOVED = "mock-removed.txt";

export const FILES: Scenario = {
  name: "files",
  summary: "writes a file with a tool and says so, then writes and removes others in a shell",
  async play(turn) {
    const before = readIfThere(WRITTEN);
    const write = await turn.startCall("write_file", {
      title: `Write ${WRITTEN}`,
      kind: "edit",
      input: { path: WRITTEN },
    });
    const after = append(WRITTEN);
    const change = before === undefined ? ("created" as const) : ("changed" as const);
    const diff = unifiedDiff(WRITTEN, before, after);
    await turn.emit({ event: "file_changed", path: resolve(WRITTEN), change, diff, call: write.id });
    await write.output({ path: WRITTEN, bytes: Buffer.byteLength(after) });

    const command = `echo line >> ${BY_SHELL}; rm -f ${REMOVED}`;
    const shell = await turn.startCall("run_command", {
      title: "Run a command",
      kind: "execute",
      input: { command },
    });
    append(BY_SHELL);
    rmSync(REMOVED, { force: true });
    await shell.output({ command, stdout: "" }, { exitCode: 0 });
    await turn.startStep();
    await turn.text("The files are written.");
  },
};

/** Adds a numbered line; gives all of the file. */
function append(path: string): string {
  const before = readIfThere(path) ?? "";
  appendFileSync(path, `line ${before.split("\n").length}\n`);
  return readText(path);
}
