/** bin/interlingua.js under a Node that cannot run us itself, and for users who lack something. */

import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { eventually } from "../testkit/eventually.ts";
import { findOldNode, run, serve, stop } from "./test-support.ts";

const node = findOldNode();
if (!node) console.warn("There is no Node below 24 on PATH: the launcher is not tested.");

const inMemory = ["--data", ":memory:"];

describe.skipIf(!node)("under an old Node", () => {
  test("the command runs all the same, with its output and its exit code", async () => {
    expect(await run(["--version"], { node })).toEqual(await run(["--version"]));
    expect(await run(["sevre"], { node })).toEqual(await run(["sevre"]));
  });

  test("a daemon serves, and a signal to the launcher ends it gracefully", async () => {
    const served = await serve(inMemory, { node });
    expect((await fetch(`${served.url}/v1/health`)).status).toBe(200);
    expect(await stop(served)).toMatchObject({ code: 0, stdout: `${served.link}\n` });
    await expect(fetch(`${served.url}/v1/health`)).rejects.toThrow();
  });

  test("a daemon does not outlive a launcher that was killed", async () => {
    const served = await serve(inMemory, { node });
    served.child.kill("SIGKILL");
    await eventually("the daemon ends", () =>
      fetch(served.url).then(
        () => false,
        () => true,
      ),
    );
  });

  test("without a Node that can run it, it says what to install", () => {
    const elsewhere = mkdtempSync(join(tmpdir(), "interlingua-launcher-"));
    try {
      const bin = resolve(import.meta.dirname, "../../bin");
      cpSync(bin, join(elsewhere, "bin"), { recursive: true });
      cpSync(resolve(bin, "../package.json"), join(elsewhere, "package.json"));
      const { status, stdout, stderr } = spawnSync(
        node!,
        [join(elsewhere, "bin/interlingua.js"), "--version"],
        {
          encoding: "utf8",
        },
      );
      expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
      expect(stderr).toMatch(
        /^interlingua: needs Node 24 or newer, and this is v[\d.]+\. Install it from https:\/\/nodejs\.org\.\n$/,
      );
    } finally {
      rmSync(elsewhere, { recursive: true });
    }
  });
});

test("a daemon gets little room for what is young, unless somebody has decided about it", async () => {
  const options = async (environment: Record<string, string>) => {
    const served = await serve(inMemory, { environment });
    const { stdout } = spawnSync("ps", ["-o", "args=", "-p", String(served.child.pid)], { encoding: "utf8" });
    await stop(served);
    return stdout;
  };
  expect(await options({})).toContain("--max-semi-space-size=16 ");
  expect(await options({ NODE_OPTIONS: "--max-semi-space-size=32" })).not.toContain("semi-space");
});

test("every Node that a clone brings along is a new one", () => {
  const file = resolve(import.meta.dirname, "../../scripts/clone/package.json");
  const manifest = JSON.parse(readFileSync(file, "utf8")) as { optionalDependencies: Record<string, string> };
  const bundled = Object.entries(manifest.optionalDependencies).filter(([name]) => name.startsWith("node-"));
  expect(bundled.length).toBeGreaterThan(0);
  for (const [, version] of bundled) expect(version).toMatch(/^24\.\d+\.\d+$/);
});

test("it runs for a user without a home", () => {
  const withoutHome = [
    'import os from "node:os";',
    'import { syncBuiltinESMExports } from "node:module";',
    'os.homedir = () => { throw new Error("no home") };',
    "syncBuiltinESMExports();",
  ].join("\n");
  const launcher = resolve(import.meta.dirname, "../../bin/interlingua.js");
  const preload = `data:text/javascript,${encodeURIComponent(withoutHome)}`;
  const { status, stderr } = spawnSync(process.execPath, ["--import", preload, launcher, "--version"], {
    encoding: "utf8",
    env: { PATH: process.env.PATH },
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
});
