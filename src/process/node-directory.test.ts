import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createProcessHost } from "./local-process-host.ts";
import { nodeDirectory } from "./node-directory.ts";
import { readAll } from "./test-support.ts";

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "node-directory-"));
});

afterEach(() => rmSync(directory, { recursive: true }));

test("an agent's Node script runs where only npm's entries had a Node: on that of the daemon", async () => {
  const [script, tools] = [join(directory, "agent"), join(directory, "tools")];
  writeFileSync(script, "#!/usr/bin/env node\nconsole.log(process.execPath);\n");
  chmodSync(script, 0o755);
  mkdirSync(tools);
  symlinkSync("/bin/sh", join(tools, "sh"));
  const PATH = `/project/node_modules/.bin:${tools}`;
  const host = createProcessHost({ daemonId: `node-${process.pid}`, environment: { ...process.env, PATH } });
  try {
    const agent = await host.spawn({ command: script, args: [], cwd: directory });
    expect(await readAll(agent)).toEqual([process.execPath]);
  } finally {
    await host.close();
  }
});

test("a Node in a directory into which anybody may put programs is not on the PATH of agents", () => {
  const node = join(directory, "node");
  chmodSync(directory, 0o755);
  expect(nodeDirectory(node)).toBe(directory);
  chmodSync(directory, 0o1777);
  expect(nodeDirectory(node)).toBeUndefined();
});

test.each(["/project/node_modules/.bin/node", "/usr/bin/interlingua", "/nowhere/at/all/node"])(
  "%s gives no directory",
  (executable) => {
    expect(nodeDirectory(executable)).toBeUndefined();
  },
);

test("the Node of this process has one", () => {
  expect(nodeDirectory()).toBe(dirname(process.execPath));
});
