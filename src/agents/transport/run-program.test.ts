import { afterAll, describe, expect, it } from "vitest";
import { createProcessHost } from "../../process/local-process-host.ts";
import { runProgram } from "./run-program.ts";

const host = createProcessHost({ daemonId: "run-program-test", environment: process.env });
afterAll(() => host.close());

const node = (script: string) => ({ command: process.execPath, args: ["-e", script] });

describe("runProgram", () => {
  it("gives what a program says and how it left", async () => {
    const script = 'console.log("one"); console.log("two"); console.error("three"); process.exitCode = 4;';
    expect(await runProgram(host, node(script))).toEqual({
      code: 4,
      signal: null,
      output: "one\ntwo",
      errors: "three\n",
    });
  });

  it("gives it no input to wait for", async () => {
    const script = 'process.stdin.resume().on("end", () => console.log("nothing came"))';
    expect(await runProgram(host, node(script))).toMatchObject({ code: 0, output: "nothing came" });
  });

  it("rejects for a program that does not exist", async () => {
    await expect(runProgram(host, { command: "/nowhere/claude", args: [] })).rejects.toThrow(/nowhere/);
  });

  it("ends the program when nobody waits any more", async () => {
    const waiting = new AbortController();
    const running = runProgram(host, { ...node("setInterval(() => {}, 1000)"), signal: waiting.signal });
    waiting.abort(new Error("enough"));
    await expect(running).rejects.toThrow("enough");
  });
});
