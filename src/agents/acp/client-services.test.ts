/** Files and terminals for an agent that may have them. */
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

describe("terminals", () => {
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
