import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import {
  appendFileSync,
  chmodSync,
  constants,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ReadGate } from "./read-gate.ts";
import { copyRegularFile, openRegularFile, readRegularFile, readRegularFileSync } from "./regular-file.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "interlingua-regular-file-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const readers = {
  readRegularFile: readRegularFile,
  readRegularFileSync: async (...args: Parameters<typeof readRegularFileSync>) =>
    readRegularFileSync(...args),
};

describe.each(Object.entries(readers))("%s", (_, read) => {
  it("reads a file whole", async () => {
    const path = join(directory, "file");
    for (const bytes of [0, 1, 300_000, 1024 * 1024]) {
      writeFileSync(path, Buffer.alloc(bytes, "x"));
      expect(await read(path)).toEqual(readFileSync(path));
    }
  });

  it("rejects as open does where there is nothing", async () => {
    await expect(read(join(directory, "nothing"))).rejects.toMatchObject({ code: "ENOENT" });
  });

  it("refuses a file that is too large, also a sparse one", async () => {
    const path = join(directory, "file");
    writeFileSync(path, "");
    truncateSync(path, 2 ** 31);
    await expect(read(path)).rejects.toThrow(`${path} is larger than 1048576 bytes.`);
    writeFileSync(path, "12345");
    await expect(read(path, { maxBytes: 4 })).rejects.toThrow("is larger than 4 bytes.");
  });

  it.runIf(process.platform === "linux")("does not trust a size of zero", async () => {
    await expect(read("/proc/self/maps", { maxBytes: 100 })).rejects.toThrow("is larger than 100 bytes.");
    expect((await read("/proc/self/maps")).length).toBeGreaterThan(100);
  });

  it("refuses a link, a pipe, a directory, a device and a socket, and does not wait", async () => {
    const at = (name: string) => join(directory, name);
    symlinkSync("/dev/zero", at("zero"));
    execFileSync("mkfifo", [at("pipe")]);
    symlinkSync(at("pipe"), at("link-to-pipe"));
    mkdirSync(at("folder"));
    const server = createServer().listen(at("socket"));
    await once(server, "listening");
    writeFileSync(at("secret"), "secret");
    symlinkSync(at("secret"), at("link-to-secret"));
    for (const name of ["zero", "link-to-pipe", "link-to-secret"])
      await expect(read(at(name))).rejects.toThrow(`${at(name)} is a link, which is not followed.`);
    for (const path of [at("pipe"), at("folder"), at("socket"), "/dev/zero"])
      await expect(read(path)).rejects.toThrow(`${path} is not a regular file.`);
    server.close();
  });

  it("follows a link to a file of the user where that is allowed, and no other", async () => {
    const [path, link] = [join(directory, "file"), join(directory, "link")];
    writeFileSync(path, "mine");
    symlinkSync(path, link);
    expect((await read(link, { links: "own" })).toString()).toBe("mine");
    rmSync(link);
    symlinkSync("/dev/zero", link);
    await expect(read(link, { links: "own" })).rejects.toThrow(`${link} is not a regular file.`);
  });
});

it("a file that grows while it is read is refused at its limit", async () => {
  const path = join(directory, "growing");
  writeFileSync(path, "small");
  const grow = () => appendFileSync(path, "more than it was");
  expect(() => readRegularFileSync(path, { maxBytes: 10, inspect: grow })).toThrow(
    "is larger than 10 bytes.",
  );
});

it("opens no pipe for writing, and creates a file where there is none", async () => {
  const pipe = join(directory, "pipe");
  execFileSync("mkfifo", [pipe]);
  await expect(openRegularFile(pipe, constants.O_WRONLY)).rejects.toThrow("is not a regular file.");
  await using made = await openRegularFile(join(directory, "new"), constants.O_WRONLY | constants.O_CREAT);
  await made.writeFile("x");
});

it("reads that hang hold two places, and the others get an error", async () => {
  const gate = new ReadGate({ deadlineMs: 1 });
  let end = () => {};
  const ended = new Promise<void>((resolve) => (end = resolve));
  const hung = (at: string) => `cannot be read: a file system does not answer${at}. Check network disks.`;
  const results = await Promise.allSettled(["a", "b", "c", "d"].map((path) => gate.run(path, () => ended)));
  expect(results.map((result) => result.status === "rejected" && result.reason.message)).toEqual([
    `a ${hung("")}`,
    `b ${hung("")}`,
    `c ${hung(" at a and b")}`,
    `d ${hung(" at a and b")}`,
  ]);
  await expect(gate.run("e", async () => {})).rejects.toThrow(hung(" at a and b"));
  end();
  await ended;
  await new Promise(setImmediate);
  expect(await gate.run("f", async () => "read")).toBe("read");
});

describe("copyRegularFile", () => {
  it("copies a file over what was there", async () => {
    const [from, to] = [join(directory, "from"), join(directory, "to")];
    writeFileSync(from, "kestrel");
    writeFileSync(to, "something longer");
    await copyRegularFile(from, to, { maxBytes: 7 });
    expect(readFileSync(to, "utf8")).toBe("kestrel");
  });

  it("copies a file of several pieces, with its mode", async () => {
    const [from, to] = [join(directory, "from"), join(directory, "to")];
    const content = randomBytes(2 ** 21 + 1);
    writeFileSync(from, content);
    chmodSync(from, 0o755);
    await copyRegularFile(from, to, { maxBytes: content.length });
    expect(readFileSync(to).equals(content)).toBe(true);
    expect(statSync(to).mode & 0o777).toBe(0o755);
  });

  it.each([
    ["a pipe", (path: string) => execFileSync("mkfifo", [path]), "is not a regular file"],
    ["a directory", (path: string) => mkdirSync(path), "is not a regular file"],
    ["a link", (path: string) => symlinkSync("/dev/zero", path), "is a link"],
    ["nothing", () => {}, "ENOENT"],
  ])("does not wait for %s, and leaves nothing", async (_, make, said) => {
    const [from, to] = [join(directory, "from"), join(directory, "to")];
    make(from);
    await expect(copyRegularFile(from, to, { maxBytes: 1000 })).rejects.toThrow(said);
    expect(() => readFileSync(to)).toThrow("ENOENT");
  });
});
