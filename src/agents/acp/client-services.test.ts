/** Files and terminals for an agent that may have them. */
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { createProcessHost } from "../../process/local-process-host.ts";
import { until } from "../../testkit/until.ts";
import type { RpcRequest } from "../transport/json-rpc.ts";
import { ClientServices } from "./client-services.ts";
import { INITIAL_STATE } from "./conversation-state.ts";

const directory = realpathSync(mkdtempSync(join(tmpdir(), "interlingua-acp-services-")));
const project = join(directory, "project");
const host = createProcessHost({ daemonId: `acp-services-${process.pid}`, environment: process.env });
mkdirSync(project);
writeFileSync(join(directory, "secret.txt"), "secret");
symlinkSync(directory, join(project, "way-out"));

afterAll(async () => {
  await host.close();
  rmSync(directory, { recursive: true });
});

let services: ClientServices;
beforeEach(() => {
  services = serve({ files: true, terminals: true });
});

function serve(allowed: { files?: boolean; terminals?: boolean }): ClientServices {
  const connection = { ...allowed, cwd: project, mcpServers: [] };
  return new ClientServices(connection, { processHost: host, sessionId: "s", cwd: project });
}

let requests = 0;

/** The answer to a request, as it goes to the agent. */
async function ask(
  method: string,
  params: object,
): Promise<{ result?: Record<string, unknown>; error?: object }> {
  requests += 1;
  const request: RpcRequest = { id: requests, method, params: params as RpcRequest["params"] };
  const asked = new Map([[String(request.id), request]]);
  const lines: string[] = [];
  const state = { ...INITIAL_STATE, rpc: { ...INITIAL_STATE.rpc, asked } };
  services.serve(state, (sent) => void lines.push(...sent));
  // It is asked again with every line that comes; the work is done once.
  services.serve(state, (sent) => void lines.push(...sent));
  await until(() => lines.length > 0);
  expect(lines).toHaveLength(1);
  return JSON.parse(lines[0]!);
}

describe("files", () => {
  it("are written and read inside the directory, whole or in part", async () => {
    const path = join(project, "deep", "notes.txt");
    expect(await ask("fs/write_text_file", { path, content: "one\ntwo\nthree\n" })).toMatchObject({
      result: {},
    });
    expect(readFileSync(path, "utf8")).toBe("one\ntwo\nthree\n");
    expect(await ask("fs/read_text_file", { path })).toMatchObject({
      result: { content: "one\ntwo\nthree\n" },
    });
    const part = await ask("fs/read_text_file", { path, line: 2, limit: 1 });
    expect(part).toMatchObject({ result: { content: "two" } });
  });

  it("that are not there are empty: agents ask before they create one", async () => {
    const path = join(project, "missing.txt");
    expect(await ask("fs/read_text_file", { path })).toMatchObject({ result: { content: "" } });
  });

  it.each([
    ["beside the directory", join(directory, "secret.txt")],
    ["by dots", join(project, "..", "secret.txt")],
    ["by a link", join(project, "way-out", "secret.txt")],
    ["new ones by a link", join(project, "way-out", "new", "file.txt")],
  ])("outside are refused: %s", async (_, path) => {
    expect(await ask("fs/read_text_file", { path })).toMatchObject({ error: { code: -32603 } });
    expect(await ask("fs/write_text_file", { path, content: "x" })).toMatchObject({
      error: { code: -32603 },
    });
    expect(readFileSync(join(directory, "secret.txt"), "utf8")).toBe("secret");
    expect(existsSync(join(directory, "new"))).toBe(false);
  });
});

describe("what is no regular file", () => {
  it("a pipe in the directory neither hangs reads nor writes", async () => {
    const path = join(project, "pipe");
    execFileSync("mkfifo", [path]);
    const refused = { error: { code: -32603, message: expect.stringContaining("not a regular file") } };
    // More of them than there are threads: each would hold one for ever.
    const tries = Array.from({ length: 8 }, () => ask("fs/read_text_file", { path }));
    for (const answer of await Promise.all(tries)) expect(answer).toMatchObject(refused);
    expect(await ask("fs/write_text_file", { path, content: "x" })).toMatchObject(refused);
    const after = join(project, "after.txt");
    expect(await ask("fs/write_text_file", { path: after, content: "x" })).toMatchObject({ result: {} });
  });

  it("a directory and a device are refused", async () => {
    symlinkSync("/dev/zero", join(project, "zero"));
    for (const path of [project, join(project, "zero")]) {
      expect(await ask("fs/read_text_file", { path })).toMatchObject({ error: { code: -32603 } });
      expect(await ask("fs/write_text_file", { path, content: "x" })).toMatchObject({
        error: { code: -32603 },
      });
    }
  });

  it("writing through a dangling link does not leave the directory", async () => {
    symlinkSync(join(directory, "outside.txt"), join(project, "dangling"));
    symlinkSync(join(directory, "outside"), join(project, "dangling-folder"));
    for (const path of [join(project, "dangling"), join(project, "dangling-folder", "file.txt")]) {
      expect(await ask("fs/write_text_file", { path, content: "x" })).toMatchObject({
        error: { code: -32603 },
      });
    }
    expect(existsSync(join(directory, "outside.txt"))).toBe(false);
    expect(existsSync(join(directory, "outside"))).toBe(false);
  });
});

describe("large files", () => {
  const path = join(project, "large.txt");

  it("are not read whole, but in parts", async () => {
    // The lines cross the pieces in which the file is read.
    const lines = Array.from({ length: 60_000 }, (_, index) => `${index} ${"ä".repeat(50)}`);
    writeFileSync(path, lines.join("\n"));
    expect(await ask("fs/read_text_file", { path })).toMatchObject({
      error: { message: expect.stringContaining("4194304 bytes that are read at once") },
    });
    const part = await ask("fs/read_text_file", { path, line: 2400, limit: 5000 });
    expect(part.result?.content).toBe(lines.slice(2399, 7399).join("\n"));
    const end = await ask("fs/read_text_file", { path, line: 59_999 });
    expect(end.result?.content).toBe(lines.slice(59_998).join("\n"));
  });

  it("are not written", async () => {
    const content = "x".repeat(4 * 1024 * 1024 + 1);
    expect(await ask("fs/write_text_file", { path: join(project, "new.txt"), content })).toMatchObject({
      error: { message: expect.stringContaining("4194304 bytes that are written at once") },
    });
    expect(existsSync(join(project, "new.txt"))).toBe(false);
  });

  it("a shorter text replaces a longer one", async () => {
    await ask("fs/write_text_file", { path, content: "short" });
    expect(readFileSync(path, "utf8")).toBe("short");
  });
});

describe("terminals", () => {
  it("keep a megabyte, however much the agent asks for, and count bytes", async () => {
    const create = async (outputByteLimit: number, command: string) => {
      const { result } = await ask("terminal/create", { command, outputByteLimit });
      await ask("terminal/wait_for_exit", result!);
      const { output, truncated } = (await ask("terminal/output", result!)).result!;
      return { output: String(output), truncated };
    };
    const { output, truncated } = await create(1e12, "seq 1 400000");
    expect(Buffer.byteLength(output)).toBe(1024 * 1024);
    expect({ truncated, end: output.endsWith("\n400000\n") }).toEqual({ truncated: true, end: true });
    expect(await create(0, "echo word")).toEqual({ output: "", truncated: true });
    // One line that is larger than all that is kept: its beginning is there, and that it was cut.
    expect(await create(10, "head -c 2000000 /dev/zero | tr '\\0' x")).toEqual({
      output: "xxxxxxxxx\n",
      truncated: true,
    });
    expect(await create(4, "echo aää")).toEqual({ output: "ä\n", truncated: true });
  });

  it("run 32 at once and no more", async () => {
    const created = [];
    for (let count = 0; count < 32; count += 1)
      created.push(await ask("terminal/create", { command: "sleep 600" }));
    expect(await ask("terminal/create", { command: "true" })).toMatchObject({
      error: { message: expect.stringContaining("32 commands run already") },
    });
    await ask("terminal/kill", created[0]!.result!);
    await until(async () => (await ask("terminal/create", { command: "true" })).result !== undefined);
    await services.close();
  });

  it("run a line for a shell, with both outputs in one", async () => {
    const created = await ask("terminal/create", {
      command: "echo out; echo err >&2; echo $COLOUR; exit 3",
      env: [{ name: "COLOUR", value: "red" }],
    });
    const { terminalId } = created.result!;
    expect(await ask("terminal/wait_for_exit", { terminalId })).toMatchObject({ result: { exitCode: 3 } });
    expect(await ask("terminal/output", { terminalId })).toMatchObject({
      result: { output: "out\nerr\nred\n", truncated: false, exitStatus: { exitCode: 3 } },
    });
    // After its end, and after it was released.
    expect(await ask("terminal/kill", { terminalId })).toMatchObject({ result: {} });
    expect(await ask("terminal/release", { terminalId })).toMatchObject({ result: {} });
    expect(await ask("terminal/output", { terminalId })).toMatchObject({
      result: { output: "out\nerr\nred\n" },
    });
  });

  it("run a program with arguments as they are", async () => {
    const created = await ask("terminal/create", { command: "printf", args: ["%s\\n", "a b", "$HOME"] });
    const { terminalId } = created.result!;
    await ask("terminal/wait_for_exit", { terminalId });
    expect(await ask("terminal/output", { terminalId })).toMatchObject({
      result: { output: "a b\n$HOME\n" },
    });
  });

  it("keep the end of what is too much", async () => {
    const created = await ask("terminal/create", { command: "seq 1 1000", outputByteLimit: 10 });
    const { terminalId } = created.result!;
    await ask("terminal/wait_for_exit", { terminalId });
    expect(await ask("terminal/output", { terminalId })).toMatchObject({
      result: { output: "\n999\n1000\n", truncated: true },
    });
  });

  it("are ended when the session is closed", async () => {
    const created = await ask("terminal/create", { command: "echo $$; sleep 600" });
    const { terminalId } = created.result!;
    let pid = 0;
    await until(async () => {
      pid = Number((await ask("terminal/output", { terminalId })).result!.output);
      return pid > 0;
    });
    await services.close();
    expect(() => process.kill(pid, 0)).toThrow();
  });

  it("that nobody knows are an error", async () => {
    expect(await ask("terminal/output", { terminalId: "?" })).toMatchObject({ error: { code: -32603 } });
  });
});

it("does nothing that was not allowed", () => {
  const idle = serve({});
  const request: RpcRequest = {
    id: 1,
    method: "fs/write_text_file",
    params: { path: join(project, "x"), content: "" },
  };
  const rpc = { ...INITIAL_STATE.rpc, asked: new Map([["1", request]]) };
  idle.serve({ ...INITIAL_STATE, rpc }, () => expect.unreachable());
  expect(existsSync(join(project, "x"))).toBe(false);
});
