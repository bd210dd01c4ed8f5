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
