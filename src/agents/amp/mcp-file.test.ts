import { execFileSync } from "node:child_process";
import {
  closeSync,
  constants,
  lstatSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { writeMcpFile } from "./mcp-file.ts";

const CONNECT = { sessionId: "s1", cwd: "/", mcpServers: { kestrel: { command: "kestrel-mcp" } } };

function temporary(): { directory: string; file: string } {
  const directory = mkdtempSync(join(tmpdir(), "il-amp-mcp-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return { directory, file: join(directory, "s1.mcp.json") };
}

test("a pipe that an agent put in the place of the MCP file does not stop the daemon", () => {
  const { directory, file } = temporary();
  execFileSync("mkfifo", [file]);
  // With a reader a write into the pipe would return. Without one it would hold this test up for ever.
  const reader = openSync(file, constants.O_RDWR | constants.O_NONBLOCK);
  onTestFinished(() => closeSync(reader));
  writeMcpFile(directory, CONNECT);
  expect(lstatSync(file).isFile()).toBe(true);
  expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ kestrel: { command: "kestrel-mcp" } });
});

test("a link in the place of the MCP file is replaced and not written through", () => {
  const { directory, file } = temporary();
  const other = join(directory, "other");
  writeFileSync(other, "untouched");
  symlinkSync(other, file);
  const written = writeMcpFile(directory, CONNECT);
  expect(readFileSync(other, "utf8")).toBe("untouched");
  expect(lstatSync(file).mode & 0o777).toBe(0o600);
  written?.remove();
  expect(lstatSync(file, { throwIfNoEntry: false })).toBeUndefined();
});
