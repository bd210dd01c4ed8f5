/** Which program a process runs, where its files are on a network mount. */
import { spawn } from "node:child_process";
import fs, { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

const { lstatSync, readFileSync, readlinkSync, statSync } = fs;
const original = { lstatSync, readFileSync, readlinkSync, realpathSync, statSync };
const base = realpathSync(mkdtempSync(join(tmpdir(), "local-path-")));
const mount = join(base, "mount");
const script = join(mount, "script.js");
/** Paths of the mount that were asked for. */
let asked: string[];

beforeEach(() => {
  asked = [];
  mkdirSync(mount, { recursive: true });
  writeFileSync(script, "setInterval(() => {}, 1000); console.log();\n");
  symlinkSync("mount", join(base, "link"));
  const noting = (name: "lstatSync" | "readlinkSync" | "realpathSync" | "statSync") =>
    Object.assign((path: string, ...more: never[]) => {
      if (path.startsWith(mount)) asked.push(path);
      return Reflect.apply(original[name], fs, [path, ...more]);
    }, original[name]);
  Object.assign(fs, {
    lstatSync: noting("lstatSync"),
    readlinkSync: noting("readlinkSync"),
    realpathSync: noting("realpathSync"),
    statSync: noting("statSync"),
    readFileSync: (path: string, ...more: never[]) =>
      path === "/proc/self/mountinfo"
        ? `36 35 0:40 / ${mount} rw - nfs4 server:/ rw\n`
        : Reflect.apply(original.readFileSync, fs, [path, ...more]),
  });
  syncBuiltinESMExports();
  vi.resetModules();
});

afterEach(() => {
  Object.assign(fs, original);
  syncBuiltinESMExports();
  rmSync(base, { recursive: true });
});

async function programOf(cwd: string, argument: string): Promise<string | undefined> {
  const { linuxProcessTable } = await import("./linux-process-table.ts");
  const child = spawn(process.execPath, [argument], { cwd, stdio: ["ignore", "pipe", "ignore"] });
  try {
    await new Promise((resolve) => child.stdout.once("data", resolve));
    return linuxProcessTable.program(child.pid!)?.name;
  } finally {
    child.kill("SIGKILL");
  }
}

describe.runIf(process.platform === "linux")("a process whose script is on a network mount", () => {
  it.each([
    ["by its path", () => script, () => script],
    ["through a link", () => join(base, "link/script.js"), () => join(base, "link/script.js")],
    ["by a path from its directory", () => "script.js", () => undefined],
  ])("does not make the daemon wait for the mount: %s", async (_name, argument, name) => {
    expect(await programOf(mount, argument())).toBe(name());
    expect(asked).toEqual([]);
  });

  it("has the real path of a script elsewhere, also through links and dots", async () => {
    writeFileSync(join(base, "own.js"), "setInterval(() => {}, 1000); console.log();\n");
    symlinkSync("./own.js", join(base, "second"));
    symlinkSync(join(base, "second"), join(base, "first"));
    expect(await programOf(base, "../../..//./".concat(join(base, "first")))).toBe(join(base, "own.js"));
    rmSync(join(base, "own.js"));
  });
});
