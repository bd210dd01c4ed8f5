import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { ownIdentity } from "../process/process-table.ts";
import { Interlingua } from "./index.ts";

const TOKEN = "0123456789abcdef0123456789abcdef";
const data = mkdtempSync(join(tmpdir(), "interlingua-start-"));
const heard: (string | undefined)[] = [];
/** Whoever listens at the address that a daemon had. */
const listener = createServer(({ headers }, response) => {
  heard.push(headers.authorization);
  response.setHeader("content-type", "application/json").end('{"agents":[],"default":"mock"}');
});

beforeAll(async () => {
  vi.stubEnv("INTERLINGUA_TOKEN", "");
  writeFileSync(join(data, "token"), TOKEN);
  await new Promise<void>((done) => listener.listen(0, "127.0.0.1", done));
});

afterAll(async () => {
  vi.unstubAllEnvs();
  await new Promise((done) => listener.close(done));
  rmSync(data, { recursive: true, force: true });
});

beforeEach(() => {
  heard.length = 0;
});

function connectTo(daemon: { readonly pid?: number; readonly processStart?: string }): Promise<Interlingua> {
  const url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
  const named = { ...daemon, url, tokenFile: join(data, "token") };
  writeFileSync(join(data, "daemon.json"), JSON.stringify(named));
  return Interlingua.start({ data, spawn: false });
}

const { pid, startTime: processStart } = ownIdentity();
const { pid: endedPid } = spawnSync(process.execPath, ["-e", ""]);

test.each([
  ["ended", { pid: endedPid, processStart }],
  ["ended, and whose pid another process has", { pid, processStart: "1" }],
  ["does not say who it is", {}],
])("the token is not sent to the address of a daemon that %s", async (_, daemon) => {
  await expect(connectTo(daemon)).rejects.toMatchObject({ code: "unreachable" });
  expect(heard).toEqual([]);
});

test("the token is sent to the address of a daemon that lives", async () => {
  await using _client = await connectTo({ pid, processStart });
  expect(heard).toEqual([`Bearer ${TOKEN}`]);
});
