import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { askGit } from "./git.ts";

test.each([".", "", "./"])(
  "a program called git in a project does not run where PATH has %j",
  async (entry) => {
    const directory = mkdtempSync(join(tmpdir(), "il-own-git-"));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    vi.stubEnv("PATH", `${entry}:${process.env.PATH}`);
    onTestFinished(() => void vi.unstubAllEnvs());
    const ran = join(directory, "ran");
    writeFileSync(join(directory, "git"), `#!/bin/sh\ntouch '${ran}'\n`, { mode: 0o755 });
    const { stdout } = await askGit(directory, ["--version"]);
    expect(stdout.toString()).toContain("git version");
    expect(existsSync(ran)).toBe(false);
  },
);
