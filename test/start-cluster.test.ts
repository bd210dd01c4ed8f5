/** `npm run start:cluster` called wrongly: one line that says what to do, as the command line has it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { SURROUNDINGS } from "../src/cli/test-support.ts";

const SCRIPT = join(import.meta.dirname, "../deploy/start-cluster.ts");

async function run(...words: string[]) {
  const child = spawn(process.execPath, [SCRIPT, ...words], { env: SURROUNDINGS });
  const ended = once(child, "close");
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: (await ended)[0] as number, stdout, stderr };
}

test("--help lists the flags", async () => {
  const { code, stdout, stderr } = await run("--help");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  for (const flag of ["--nodes", "--root", "--port", "--data", "--store"]) expect(stdout).toContain(flag);
});

describe.concurrent("a mistake is one line, and exit code 2", () => {
  test.each([
    [["--sotre", "x"], "Unknown option '--sotre'. npm run start:cluster -- --help"],
    [["three"], "Unexpected argument 'three'. "],
    [["--nodes", "abc"], '--nodes: "abc" is not a number from 1 to 16.'],
    [["--nodes", "0"], '--nodes: "0" is not a number from 1 to 16.'],
    [["--port", "70000"], '--port: "70000" is not a number from 0 to 65535.'],
    [["--root", "/dev/null/none"], "--root: there is no directory /dev/null/none. Give one"],
    [["--store", "nonsense"], "--store: must be the address of a database such as postgres://"],
    [["--store", "postgres://me:hidden@127.0.0.1/x"], "--store: others can see a password in a flag."],
  ])("%j", async (words, line) => {
    const { code, stdout, stderr } = await run(...words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(`interlingua: ${line}`);
    expect(stderr.trim().split("\n")).toHaveLength(1);
    expect(stderr).not.toContain("hidden");
  });
});

test("a port that is taken, and a database that does not answer, are one line and exit code 1", async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const port = String((server.address() as AddressInfo).port);
  const taken = await run("--port", port);
  server.close();
  expect(taken).toMatchObject({ code: 1, stdout: "" });
  expect(taken.stderr).toBe(
    `interlingua: Port ${port} on 127.0.0.1 is in use. Stop what uses it, or choose another with --port (0 picks one).\n`,
  );
  const away = await run("--port", "0", "--store", `postgres://me@127.0.0.1:${port}/x`);
  expect(away).toMatchObject({ code: 1, stdout: "" });
  expect(away.stderr).toContain(`postgres://me@127.0.0.1:${port}/x`);
  expect(away.stderr.trim().split("\n")).toHaveLength(1);
});
