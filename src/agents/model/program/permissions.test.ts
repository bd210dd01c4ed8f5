import { describe, expect, it } from "vitest";
import type { LoopTool } from "./loop-tool.ts";
import { fromModelTool } from "./loop-tool.ts";
import { Permissions } from "./permissions.ts";
import { TOOLS } from "./tools/index.ts";

const CWD = "/home/somebody/project";

const tool = (name: string): LoopTool => fromModelTool(TOOLS.find((known) => known.name === name)!);
const run = tool("run_command");
const always = (permissions: Permissions, some: LoopTool, input: unknown) =>
  permissions.optionsFor(some, input).find(({ effect }) => effect === "always");

/** The permissions after a person said "always" to this. */
function permissionsAfter(some: LoopTool, input: unknown): Permissions {
  const permissions = new Permissions([], CWD);
  permissions.add(always(permissions, some, input)?.covers ?? []);
  return permissions;
}

describe("an always for a command covers that command", () => {
  it.each([
    ["again", { command: "git status" }],
    ["with another limit", { command: "git status", timeout: 5, max_output_bytes: 10, encoding: "latin1" }],
    ["with the directory named", { command: "git status", cwd: "." }],
    ["with the directory named in full", { command: "git status", cwd: `${CWD}/sub/..` }],
  ])("%s", (_name, input) => {
    expect(permissionsAfter(run, { command: "git status" }).judge("default", run, input)).toBe("allowed");
  });

  it("in the directory it was for", () => {
    const permissions = permissionsAfter(run, { command: "npm test", cwd: "packages/a" });
    expect(permissions.judge("default", run, { command: "npm test", cwd: "./packages/a/" })).toBe("allowed");
    expect(permissions.judge("default", run, { command: "npm test" })).toBe("ask");
    expect(permissions.judge("default", run, { command: "npm test", cwd: "packages/b" })).toBe("ask");
  });
});

describe("an always for a command cannot be stretched", () => {
  it.each([
    ["by further arguments", { command: "git status --short" }],
    ["by another command after it", { command: "git status; rm -rf ." }],
    ["by a line break", { command: "git status\nrm -rf ." }],
    ["by a substitution", { command: "git status $(rm -rf .)" }],
    ["by a redirect", { command: "git status > .git/hooks/pre-commit" }],
    ["by an exclamation mark", { command: "! git status" }],
    ["by a space that the shell takes for a letter", { command: "git\u00a0status" }],
    ["by a vertical tab", { command: "git\vstatus" }],
    ["by a space at its end", { command: "git status " }],
    ["by quotes", { command: "'git' status" }],
    ["by a variable before it", { command: "GIT_EXTERNAL_DIFF=./a git status" }],
    ["by variables beside it", { command: "git status", env: { GIT_CONFIG_COUNT: "1" } }],
    ["by a directory with a repository that was prepared", { command: "git status", cwd: "vendor/crafted" }],
    ["by a directory outside", { command: "git status", cwd: ".." }],
    ["by a directory that ends it", { command: "status", cwd: '": git' }],
  ])("%s", (_name, input) => {
    expect(permissionsAfter(run, { command: "git status" }).judge("default", run, input)).toBe("ask");
  });

  it("to others, by a command that looks like a pattern", () => {
    const permissions = permissionsAfter(run, { command: "ls *" });
    expect(permissions.judge("default", run, { command: "ls -la" })).toBe("ask");
  });

  it("since it is not offered for a command with variables", () => {
    const options = new Permissions([], CWD).optionsFor(run, {
      command: "ls",
      env: { LD_PRELOAD: "./a.so" },
    });
    expect(options.map(({ effect }) => effect)).toEqual(["once", "reject"]);
  });
});

it.each([
  ["run_command", { command: "ls" }, "Always allow exactly this command", [`run_command in "${CWD}": ls`]],
  [
    "run_command",
    { command: "ls", cwd: "a" },
    "Always allow exactly this command",
    [`run_command in "${CWD}/a": ls`],
  ],
  [
    "write_to_file",
    { path: "a" },
    "Always allow write_to_file for all files here",
    [`write_to_file in "${CWD}"`],
  ],
  ["web_fetch", { url: "http://a" }, "Always allow web_fetch for all of the web", ["web_fetch"]],
])("what an always of %s with %j covers is said", (name, input, label, covers) => {
  const permissions = new Permissions([], CWD);
  expect(always(permissions, tool(name), input)).toEqual({
    id: "allow-always",
    label,
    effect: "always",
    covers,
  });
});

it.each([
  ["run_command", { command: "make" }, "ask"],
  ["write_to_file", { path: "a" }, "ask"],
  ["web_fetch", { url: "http://a" }, "allowed"],
])("an always of %s in one directory, seen from another: %j", (name, input, verdict) => {
  const rules = always(new Permissions([], CWD), tool(name), input)!.covers!;
  expect(new Permissions(rules, CWD).judge("default", tool(name), input)).toBe("allowed");
  expect(new Permissions(rules, "/home/somebody/other").judge("default", tool(name), input)).toBe(verdict);
});

describe("in each mode", () => {
  const judged = (mode: "default" | "plan" | "acceptEdits" | "bypass") =>
    ["read_file", "write_to_file", "run_command", "web_fetch"].map((name) =>
      new Permissions([], CWD).judge(mode, tool(name), { command: "ls", url: "http://a" }),
    );

  it.each([
    ["default", ["allowed", "ask", "ask", "ask"]],
    ["acceptEdits", ["allowed", "allowed", "ask", "ask"]],
    ["plan", ["allowed", "refused", "refused", "refused"]],
    ["bypass", ["allowed", "allowed", "allowed", "allowed"]],
  ] as const)("%s", (mode, verdicts) => {
    expect(judged(mode)).toEqual(verdicts);
  });
});
