import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { InstallProgress } from "../core/program.ts";
import { searchPath } from "../core/search-path.ts";
import { createProcessHost } from "../process/local-process-host.ts";
import type { ProcessHost } from "../process/process-host.ts";
import { until } from "../testkit/until.ts";
import { createPrograms, type LocalPrograms, type LocalProgramsOptions } from "./local-programs.ts";
import { platformName } from "./platform.ts";
import { TestRegistry } from "./registry.test-support.ts";

let registry: TestRegistry;
let data: string;
const closers: (() => Promise<void>)[] = [];
/** How many npm processes run now. */
let running = 0;

beforeEach(async () => {
  registry = await TestRegistry.start();
  data = join(registry.directory, "data");
});

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  await registry.close();
});

function open(
  options: Partial<LocalProgramsOptions> & { environment?: Record<string, string> } = {},
): LocalPrograms {
  const environment = registry.environment(options.environment);
  const host = createProcessHost({ daemonId: randomUUID(), environment });
  const processHost: ProcessHost = {
    ...host,
    async spawn(program) {
      const child = await host.spawn(program);
      running += 1;
      void child.exited.then(() => {
        running -= 1;
      });
      return child;
    },
  };
  const programs = createPrograms({
    processHost,
    dataDirectory: data,
    searchPath: searchPath(environment),
    presetsDirectory: registry.presetsDirectory,
    ...options,
  });
  closers.push(
    () => processHost.close(),
    () => programs.close(),
  );
  return programs;
}

/** Makes an executable file. */
function place(...path: string[]): string {
  const file = join(registry.directory, ...path);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, "#!/bin/sh\n");
  chmodSync(file, 0o755);
  return file;
}

const program = () => join(data, "agents/tool/program");
const entries = () => (existsSync(program()) ? readdirSync(program()) : []);
describe("a program is looked for", () => {
  test("in the config, then in the data directory, then on the PATH", async () => {
    const onPath = place("bin", "tool");
    const configured = place("mine", "tool");
    const path = join(registry.directory, "bin");
    const nowhere = open({ searchPath: "" });
    expect(await nowhere.find(registry.preset)).toBeUndefined();
    const programs = open({ searchPath: `${path}:${process.env.PATH}` });
    expect(await programs.find(registry.preset)).toEqual({ command: onPath, args: [], from: "path" });
    const installed = await programs.install(registry.preset);
    expect(await programs.find(registry.preset)).toEqual(installed);
    expect(installed.from).toBe("installed");
    expect(statSync(join(program(), "lock.db")).mode & 0o777).toBe(0o600);
    const settings = { tool: { command: [configured, "--fast"] } };
    expect(await open({ settings }).find(registry.preset)).toEqual({
      command: configured,
      args: ["--fast"],
      from: "config",
    });
  });

  test("a configured name is found on the PATH", async () => {
    const command = place("bin", "other-tool");
    const programs = open({
      searchPath: join(registry.directory, "bin"),
      settings: { tool: { command: "other-tool" } },
    });
    expect(await programs.find(registry.preset)).toEqual({ command, args: [], from: "config" });
  });

  test.each(["/nowhere/tool", "nothing-of-that-name", import.meta.filename])(
    "a configured one that cannot be run, %s, names the setting",
    async (command) => {
      place("bin", "tool");
      const programs = open({
        searchPath: join(registry.directory, "bin"),
        settings: { tool: { command } },
      });
      await expect(programs.find(registry.preset)).rejects.toMatchObject({
        code: "agent_failed",
        message: expect.stringContaining("agents.tool.command"),
      });
    },
  );

  test("where nothing is kept, on the PATH only", async () => {
    const programs = open({ dataDirectory: undefined, searchPath: "" });
    expect(await programs.find(registry.preset)).toBeUndefined();
    await expect(programs.install(registry.preset)).rejects.toMatchObject({ code: "install_failed" });
  });
});

describe("an installation", () => {
  test("brings the program of this platform, for its owner only, and runs no install script", async () => {
    const steps: InstallProgress[] = [];
    const { command, args, from } = await open().install(registry.preset, {
      onProgress: (progress) => steps.push(progress),
    });
    expect({ args, from }).toEqual({ args: [], from: "installed" });
    expect(execFileSync(command, { encoding: "utf8" })).toBe("tool at work\n");
    expect(command.startsWith(join(program(), "1.0.0"))).toBe(true);
    expect(statSync(join(program(), "1.0.0")).mode & 0o777).toBe(0o700);
    expect(globSync("**/install-script-was-run", { cwd: data })).toEqual([]);
    expect(registry.downloads.sort()).toEqual(["tool", `tool-${platformName()}`]);
    const phases = steps.map(({ phase }) => phase);
    expect([...new Set(phases)]).toEqual(["preparing", "downloading", "finishing"]);
    for (const { bytes = 0, total = 0 } of steps) expect(bytes).toBeLessThanOrEqual(total);
  });

  test("is done once", async () => {
    const programs = open();
    const first = await programs.install(registry.preset);
    const downloads = registry.downloads.length;
    expect(await programs.install(registry.preset)).toEqual(first);
    expect(await open().install(registry.preset)).toEqual(first);
    expect(registry.downloads).toHaveLength(downloads);
  });

  test("is repaired where its program is gone", async () => {
    const programs = open();
    const { command } = await programs.install(registry.preset);
    rmSync(command);
    expect(await programs.find(registry.preset)).toBeUndefined();
    await programs.install(registry.preset);
    expect(execFileSync(command, { encoding: "utf8" })).toBe("tool at work\n");
  });

  test("takes npm's configuration of the user, not that of the npm that started us", async () => {
    const environment = { npm_config_registry: "http://127.0.0.1:1/", npm_config_ignore_scripts: "false" };
    await open({ environment }).install(registry.preset);
    expect(entries()).toContain("1.0.0");
    const omitting = { NPM_CONFIG_OMIT: "optional", NPM_CONFIG_ENGINE_STRICT: "true" };
    rmSync(data, { recursive: true });
    await open({ environment: omitting }).install(registry.preset);
    expect(entries()).toContain("1.0.0");
  });

  test.each([
    [{ command: "tool" }, "agents.tool.command"],
    [{ install: "never" } as const, "agents.tool.install"],
  ])("is refused when the config says %j", async (settings, name) => {
    await expect(open({ settings: { tool: settings } }).install(registry.preset)).rejects.toMatchObject({
      code: "unsupported",
      message: expect.stringContaining(name),
    });
  });
});

describe("a failed installation says what to do and leaves what was there:", () => {
  async function failure(programs: LocalPrograms): Promise<string> {
    const error = await programs.install(registry.preset).catch((reason) => reason);
    expect(error).toMatchObject({ code: "install_failed" });
    expect(entries().filter((name) => name !== "lock.db" && name !== "0.9.0")).toEqual([]);
    return error.message;
  }

  test("content that is not what was published", async () => {
    mkdirSync(join(program(), "0.9.0"), { recursive: true });
    registry.isTampered = true;
    expect(await failure(open())).toContain("not what was published");
    expect(entries()).toContain("0.9.0");
    registry.isTampered = false;
    await open().install(registry.preset);
    expect(entries()).toContain("1.0.0");
  });

  test("no network", async () => {
    const environment = { NPM_CONFIG_REGISTRY: "http://127.0.0.1:1/" };
    expect(await failure(open({ environment }))).toContain("registry cannot be reached");
  });

  test("no npm", async () => {
    expect(await failure(open({ searchPath: "/nowhere" }))).toContain("npm was not found on the PATH");
  });

  test("no program for this platform", async () => {
    registry.writePreset({ platform: "plan9-x64" });
    expect(await failure(open())).toContain(`no program for ${platformName()}`);
  });

  test("a disk that is too small", async () => {
    registry.writePreset({ bytes: Number.MAX_SAFE_INTEGER });
    expect(await failure(open())).toMatch(/the disk is full: \d+ MB are needed and \d+ MB are free/);
  });

  test("a disk that got full meanwhile, which npm does not notice", async () => {
    registry.writePreset({ bytes: 4000 });
    expect(await failure(open())).toMatch(/not whole, \d+ of 4000 bytes\. Look whether the disk is full/);
  });

  test("a data directory that cannot be written", async () => {
    mkdirSync(join(data, "agents"), { recursive: true });
    writeFileSync(join(data, "agents/tool"), "");
    expect(await failure(open())).toContain("data directory cannot be used");
  });
});

describe("installations at the same time", () => {
  test("are one, and a late joiner hears how far it is", async () => {
    const programs = open();
    registry.hold();
    const first = programs.install(registry.preset);
    await until(() => registry.downloads.length > 0);
    const steps: InstallProgress[] = [];
    const second = programs.install(registry.preset, { onProgress: (progress) => steps.push(progress) });
    await until(() => steps.length > 0);
    registry.letGo();
    expect(await second).toEqual(await first);
    expect(registry.downloads).toHaveLength(2);
  });

  test("of two processes come one after the other", async () => {
    registry.hold();
    const first = open().install(registry.preset);
    await until(() => registry.downloads.length > 0);
    const second = open().install(registry.preset);
    registry.letGo();
    expect(await second).toEqual(await first);
    expect(registry.downloads).toHaveLength(2);
  });

  test("go on for the others when one leaves, and stop with the last", async () => {
    const programs = open();
    registry.hold();
    const [one, two] = [new AbortController(), new AbortController()];
    const first = programs.install(registry.preset, { signal: one.signal });
    const second = programs.install(registry.preset, { signal: two.signal });
    await until(() => registry.downloads.length > 0);
    one.abort(new Error("no longer wanted"));
    await expect(first).rejects.toThrow("no longer wanted");
    expect(running).toBe(1);
    two.abort(new Error("not by anybody"));
    await expect(second).rejects.toThrow("not by anybody");
    await until(() => running === 0 && entries().every((name) => name === "lock.db"));
    registry.letGo();
    await programs.install(registry.preset);
    expect(entries()).toContain("1.0.0");
  });

  test("end when the daemon stops", async () => {
    const programs = open();
    registry.hold();
    const installing = programs.install(registry.preset).catch((error) => error);
    await until(() => registry.downloads.length > 0);
    await programs.close();
    expect(await installing).toMatchObject({ code: "shutting_down" });
    expect(entries()).toEqual(["lock.db"]);
    expect(running).toBe(0);
  });
});
