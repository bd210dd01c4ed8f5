import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkConfig } from "./check-config.ts";
import { type Config, withDefaults } from "./config.ts";

function check(given: Partial<Config>): void {
  checkConfig(withDefaults(given, { cwd: process.cwd(), environment: {} }));
}

test("the defaults are fine", () => check({}));

describe("an address other machines can reach", () => {
  const token = "chosen-by-the-user";
  const allowHosts = ["box.example.com"];

  test.each(["0.0.0.0", "::", "192.168.1.5", "box.example.com", "127.example.com"])("%s", (host) => {
    expect(() => check({ host })).toThrow(/INTERLINGUA_TOKEN/);
    expect(() => check({ host, allowHosts })).toThrow(/INTERLINGUA_TOKEN/);
    expect(() => check({ host, allowHosts, tokenFile: "/nowhere" })).toThrow(/INTERLINGUA_TOKEN/);
    expect(() => check({ host, token })).toThrow(/--allow-host/);
    check({ host, token, allowHosts });
    check({ host, tokenFile: import.meta.filename, allowHosts });
  });

  test.each(["abc", "fifteen-chars-x", "0".repeat(64)])("does not take the token %s", (token) => {
    expect(() => check({ host: "0.0.0.0", token, allowHosts })).toThrow(
      /INTERLINGUA_TOKEN: .*easy to guess.*at least 16 characters.*openssl rand -hex 32/,
    );
    // Only programs of this machine can try.
    check({ token });
  });

  test.each(["127.0.0.1", "127.1.2.3", "localhost", "::1"])("%s is none", (host) => check({ host }));
});

test("a root has to be a directory", () => {
  expect(() => check({ roots: ["/nowhere"] })).toThrow(/--root: \/nowhere is not a directory/);
  expect(() => check({ roots: [import.meta.filename] })).toThrow(/is not a directory/);
});

test("the data directory has to be one, when it exists", () => {
  check({ data: ":memory:" });
  check({ data: "/nowhere/yet" });
  expect(() => check({ data: import.meta.filename })).toThrow(/--data: .* is not a directory/);
});

test("a token that fits into no header is refused", () => {
  for (const token of ["two words", "a\tb", "line\nline", "nul\0nul", "grün"])
    expect(() => check({ token })).toThrow(/INTERLINGUA_TOKEN/);
});

describe("the workspace of AgentSmithy's port", () => {
  const roots = [import.meta.dirname];
  const agentsmithyPort = 0;

  test("lies in a root, or is one", () => {
    check({ roots, agentsmithyPort });
    check({ roots, agentsmithyPort, agentsmithyWorkspace: import.meta.dirname });
    check({ roots: ["/"], agentsmithyPort, agentsmithyWorkspace: import.meta.dirname });
  });

  test("outside the roots it is refused, also through a link", () => {
    const outside = /^--agentsmithy-workspace: .* lies outside .*: .*config\. Add it with --root /;
    const checking = (agentsmithyWorkspace: string) => () =>
      check({ roots, agentsmithyPort, agentsmithyWorkspace });
    expect(checking(dirname(import.meta.dirname))).toThrow(outside);
    expect(checking(`${import.meta.dirname}/..`)).toThrow(outside);
    const directory = mkdtempSync(join(tmpdir(), "interlingua-roots-"));
    try {
      symlinkSync("/usr", join(directory, "link"));
      const agentsmithyWorkspace = join(directory, "link");
      expect(() => check({ roots: [directory], agentsmithyPort, agentsmithyWorkspace })).toThrow(
        /lies outside/,
      );
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  test("is a root itself where none are named", () => {
    const config = { agentsmithyPort, agentsmithyWorkspace: tmpdir() };
    check(config);
    expect(withDefaults(config).roots).toEqual([process.cwd(), tmpdir()]);
    expect(withDefaults({ ...config, agentsmithyWorkspace: import.meta.dirname }).roots).toEqual([
      process.cwd(),
    ]);
    expect(() => check({ agentsmithyPort, agentsmithyWorkspace: "/nowhere" })).toThrow(
      /^--agentsmithy-workspace: \/nowhere is not a directory/,
    );
  });

  test("has to be a directory, and needs a port", () => {
    expect(() => check({ roots, agentsmithyPort, agentsmithyWorkspace: "/nowhere" })).toThrow(
      /^--agentsmithy-workspace: \/nowhere is not a directory/,
    );
    expect(() => check({ roots, agentsmithyWorkspace: import.meta.dirname })).toThrow(
      /Give --agentsmithy-port/,
    );
    check({ agentsmithyKeepRunning: true });
  });
});

describe("roots that nodes share", () => {
  const cluster = { clusterSecret: "s".repeat(32), store: "postgres://db/x" };
  const sharedRoots = [import.meta.dirname];
  const data = "/nowhere/data";

  test("are roots, and the only ones where no others are named", () => {
    const config = withDefaults({ sharedRoots }, { cwd: "/elsewhere", environment: {} });
    expect(config).toMatchObject({ roots: sharedRoots, sharedRoots, cwd: import.meta.dirname });
    check({ ...cluster, data, sharedRoots });
  });

  test("need a cluster", () => {
    expect(() => check({ data, sharedRoots })).toThrow(/--shared-root: .*INTERLINGUA_CLUSTER_SECRET.*--root/);
  });

  test("have to be directories, and hold no data directory", () => {
    expect(() => check({ ...cluster, data, sharedRoots: ["/nowhere"] })).toThrow(
      /--shared-root: \/nowhere is not/,
    );
    const inside = join(import.meta.dirname, "data");
    expect(() => check({ ...cluster, data: inside, sharedRoots })).toThrow(/holds the data directory/);
  });

  test("are others than those in which each node has clones of its own", () => {
    const gitRoots = sharedRoots;
    const config = withDefaults({ gitRoots }, { cwd: "/elsewhere", environment: {} });
    expect(config).toMatchObject({ roots: gitRoots, gitRoots, cwd: import.meta.dirname });
    check({ ...cluster, data, gitRoots });
    expect(() => check({ data, gitRoots })).toThrow(/--git-root: .*INTERLINGUA_CLUSTER_SECRET.*--root/);
    expect(() => check({ ...cluster, data, gitRoots: ["/nowhere"] })).toThrow(/--git-root: \/nowhere is not/);
    const inside = join(import.meta.dirname, "data");
    expect(() => check({ ...cluster, data: inside, gitRoots })).toThrow(/--git-root: .*data directory/);
    const around = [join(import.meta.dirname, "..")];
    expect(() => check({ ...cluster, data, gitRoots, sharedRoots: around })).toThrow(/one or the other/);
  });

  test("may have a place for their checkpoints, outside of them", () => {
    const place = mkdtempSync(join(tmpdir(), "il-place-"));
    const given = { ...cluster, data, sharedRoots };
    check({ ...given, checkpointDirectory: place });
    expect(() => check({ ...cluster, data, checkpointDirectory: place })).toThrow(
      /there are none.*--shared-root/,
    );
    expect(() => check({ ...given, checkpointDirectory: "/nowhere" })).toThrow(
      /--checkpoint-directory: .*Make it/,
    );
    expect(() => check({ ...given, sharedRoots: [tmpdir()], checkpointDirectory: place })).toThrow(/lies in/);
    rmSync(place, { recursive: true });
  });
});
