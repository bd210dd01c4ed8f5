import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { platformName } from "../../install/platform.ts";
import { PRESETS_DIRECTORY, readPresetPackages, readProgramFor } from "../../install/preset-folder.ts";
import { run, type Served, serve, stop } from "../test-support.ts";

/** npm that reaches nobody and gives up at once. */
const ALONE = { NPM_CONFIG_REGISTRY: "http://127.0.0.1:1/", NPM_CONFIG_FETCH_RETRIES: "0" };

let directory: string;
let daemon: Served | undefined;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "interlingua-install-"));
});

afterEach(async () => {
  if (daemon) await stop(daemon);
  daemon = undefined;
  rmSync(directory, { recursive: true });
});

function install(...args: string[]) {
  const environment = { ...ALONE, HOME: directory };
  return run(["agents", "install", "--data", directory, ...args], { environment });
}

/** What an installation leaves behind, with a program that does nothing. */
async function placeClaude(): Promise<{ version: string; path: string }> {
  const folder = join(PRESETS_DIRECTORY, "claude");
  const { package: manifest } = await readPresetPackages(folder);
  const version = manifest.dependencies["@anthropic-ai/claude-code"]!;
  const { file } = (await readProgramFor(folder, platformName()))!;
  const path = join(directory, "agents/claude/program", version, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "#!/bin/sh\n");
  chmodSync(path, 0o755);
  return { version, path };
}

describe.each(["here", "through the daemon"])("%s", (where) => {
  beforeEach(async () => {
    if (where === "here") return;
    daemon = await serve(["--data", directory], { environment: { ...ALONE, HOME: directory } });
  });

  test("what is there already is told", async () => {
    const { version, path } = await placeClaude();
    const plain = await install("claude");
    expect(plain).toEqual({
      code: 0,
      stdout: `claude ${version} is installed: ${path}\n`,
      stderr: "interlingua: claude: preparing\n",
    });
    const json = await install("claude", "--json");
    expect(JSON.parse(json.stdout)).toEqual({ agent: "claude", version, path });
  });

  test("a failure is one line and exit code 1", async () => {
    const { code, stdout, stderr } = await install("claude");
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr.trimEnd().split("\n").at(-1)).toMatch(
      /^interlingua: Nothing was installed: .* cannot be reached/,
    );
  });

  test("the mock has nothing to install, and nobody is no agent", async () => {
    expect(await install("mock")).toEqual({
      code: 1,
      stdout: "",
      stderr: "interlingua: mock comes with Interlingua: there is nothing to install.\n",
    });
    const { code, stderr } = await install("nobody");
    expect(code).toBe(1);
    expect(stderr).toMatch(/^interlingua: There is no agent "nobody". There are: .*mock/);
  });
});
