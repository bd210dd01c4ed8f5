/** Completion as a shell asks for it, and in a real bash. */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { post, run, type Served, serve, stop } from "../test-support.ts";
import { findCandidates } from "./find-candidates.ts";

let folder: string;
let data: string;
let daemon: Served;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "interlingua-completion-"));
  data = join(folder, "data");
  const program = resolve(import.meta.dirname, "../../../bin/interlingua.js");
  mkdirSync(join(folder, "bin"));
  mkdirSync(join(folder, "a directory"));
  writeFileSync(join(folder, "a file"), "");
  const wrapper = join(folder, "bin/interlingua");
  writeFileSync(wrapper, `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`);
  chmodSync(wrapper, 0o755);
  daemon = await serve(["--data", data]);
  await post(daemon, "/v1/sessions", { id: "demonstration", agent: "mock", title: "All * of\tit" });
});

afterAll(async () => {
  await stop(daemon);
  rmSync(folder, { recursive: true });
});

async function words(line: string): Promise<string[] | string> {
  const found = await findCandidates(line.split(" "));
  return typeof found === "string" ? found : found.map(({ word }) => word);
}

describe("what may come next", () => {
  test.each([
    ["", ["serve", "sessions", "agents", "completion"]],
    ["-", ["--help", "--version"]],
    ["sessions ", ["show", "delete"]],
    ["help sessions ", ["show", "delete"]],
    ["db ", ["check"]],
    ["sessions --", ["--json", "--status", "--help"]],
    ["sessions --status ", ["idle", "running"]],
    ["export demo --as ", ["raw"]],
    ["usage --by ", ["agent", "day", "session"]],
    ["asks reply demo a1 ", ["once", "always", "reject"]],
    ["completion ", ["bash", "zsh", "fish"]],
    ["token ", ["create", "list", "revoke"]],
    ["token create anna --role ", ["observer", "participant", "operator", "owner"]],
    ["invite demo --role ", ["observer", "participant"]],
  ])("%j", async (line, some) => {
    expect(await words(line)).toEqual(expect.arrayContaining(some));
  });

  test.each([
    ["tail ", "sessions"],
    ["sessions show ", "sessions"],
    ["queue edit --json ", "sessions"],
    ["run --session ", "sessions"],
    ["run --agent ", "agents"],
    ["agents install ", "agents"],
    ["token create anna --session ", "sessions"],
    ["token create anna --agent ", "agents"],
    ["token revoke ", "tokens"],
    ["invite ", "sessions"],
    ["audit --session ", "sessions"],
    ["serve --root ", "directories"],
    ["backup ", "files"],
    ["export demo --output ", "files"],
  ])("%j is one of the %s", async (line, kind) => {
    expect(await words(line)).toBe(kind);
  });

  test.each(["nobody ", "tail demo ", "sessions --limit ", "sessions delete x --constructor "])(
    "%j is known to nobody",
    async (line) => {
      expect(await words(line)).toEqual([]);
    },
  );

  test("a flag that was given is not offered again, unless it may be repeated", async () => {
    expect(await words("serve --port 1 --root . --")).not.toContain("--port");
    expect(await words("serve --port 1 --root . --")).toContain("--root");
  });
});

describe("as a shell asks for it", () => {
  test("sessions come with their titles, agents from the daemon", async () => {
    const ask = (...line: string[]) => run(["__complete", ...line]);
    expect(await ask("tail", "--data", data, "dem")).toEqual({
      code: 0,
      stdout: "demonstration\tAll * of it\n",
      stderr: "",
    });
    expect((await ask("run", "--data", data, "--agent", "moc")).stdout).toBe("mock\n");
  });

  test("sessions older than the last hundred are completed too, and a hundred are listed at most", async () => {
    const own = join(folder, "many");
    const many = await serve(["--data", own]);
    for (let number = 0; number < 120; number++)
      await post(many, "/v1/sessions", { id: `session-${number}`, agent: "mock", title: "One of many" });
    const ask = async (word: string) => (await run(["__complete", "tail", "--data", own, word])).stdout;
    expect(await ask("session-0")).toBe("session-0\tOne of many\n");
    expect((await ask("ses")).trimEnd().split("\n")).toHaveLength(100);
    await stop(many);
    expect(await ask("session-0")).toBe("session-0\tOne of many\n");
  });

  test("agents are known without a daemon; sessions of nowhere are none, and no error", async () => {
    const nowhere = ["--data", join(folder, "nowhere")];
    expect(await run(["__complete", "run", ...nowhere, "--agent", "moc"])).toMatchObject({
      code: 0,
      stdout: "mock\n",
    });
    expect(await run(["__complete", "tail", ...nowhere, ""])).toMatchObject({ code: 0, stdout: "" });
  });
});

const hasBash = spawnSync("bash", ["--version"]).status === 0;

describe.skipIf(!hasBash)("in bash", () => {
  /** At the first Tab, or at the second, which lists them. */
  function complete(...line: string[]): string[] {
    return completeAt("first", ...line);
  }

  function completeAt(tab: "first" | "second", ...line: string[]): string[] {
    const script = [
      'eval "$(interlingua completion bash)"',
      'COMP_WORDS=(interlingua "$@")',
      "COMP_CWORD=$#",
      `COMP_TYPE=${tab === "first" ? 9 : 63}`,
      "COLUMNS=40",
      "_interlingua",
      `printf "%s\\n" "\${COMPREPLY[@]}"`,
    ].join("\n");
    const { stdout, stderr } = spawnSync("bash", ["--norc", "-c", script, "bash", ...line], {
      encoding: "utf8",
      cwd: folder,
      env: {
        PATH: `${join(folder, "bin")}:${process.env.PATH}`,
        HOME: "/nonexistent",
        INTERLINGUA_DATA: data,
      },
    });
    expect(stderr).toBe("");
    return stdout.trimEnd().split("\n");
  }

  test("where several are listed, each stands in a line with its help or title", async () => {
    await post(daemon, "/v1/sessions", { id: "demo-2", agent: "mock", title: "Another" });
    expect(complete("tail", "demo").toSorted()).toEqual(["demo-2", "demonstration"]);
    const listed = completeAt("second", "tail", "demo");
    // As wide as the terminal, so that readline puts no two of them beside each other.
    expect(listed[0]).toHaveLength(38);
    expect(listed.map((line) => line.trimEnd()).toSorted()).toEqual([
      "demo-2         Another",
      "demonstration  All * of it",
    ]);
    // A single one is inserted.
    expect(completeAt("second", "tail", "demons")).toEqual(["demonstration"]);
  });

  test("commands, flags, values, sessions, files and directories", () => {
    expect(complete("sess")).toEqual(["sessions"]);
    expect(complete("sessions", "sh")).toEqual(["show"]);
    expect(complete("sessions", "--status", "r")).toEqual(["running", "recovering"]);
    expect(complete("tail", "demons")).toEqual(["demonstration"]);
    expect(complete("backup", "a ").toSorted()).toEqual(["a directory", "a file"]);
    expect(complete("serve", "--root", "a ")).toEqual(["a directory"]);
  });
});

test.each(["zsh", "fish"])("%s can read its script", async (shell) => {
  const { code, stdout } = await run(["completion", shell]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("interlingua __complete") });
  const { status, error } = spawnSync(shell, ["-n"], { input: stdout });
  if (!error) expect(status).toBe(0);
});
