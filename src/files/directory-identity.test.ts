import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bootId, directoryIdentity, parseMountOf } from "./directory-identity.ts";

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "il-identity-"));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe.runIf(bootId() !== "")("on Linux", () => {
  it("a directory is itself by whatever name, also after something was written in it, and no other one", () => {
    const [one, other, link] = ["one", "other", "link"].map((name) => join(root, name)) as [
      string,
      string,
      string,
    ];
    mkdirSync(one);
    mkdirSync(other);
    symlinkSync(one, link);
    const before = directoryIdentity(one);
    expect(before).toMatch(/^[0-9a-f]{32}$/);
    mkdirSync(join(one, "written"));
    expect(directoryIdentity(one)).toBe(before);
    expect(directoryIdentity(realpathSync(link))).toBe(before);
    expect(directoryIdentity(other)).not.toBe(before);
  });
});

const MOUNTS = [
  "27 1 254:0 / / rw,relatime - ext4 /dev/vda rw,discard",
  "40 27 0:55 / / rw,relatime - overlay overlay rw,lowerdir=/l/1,upperdir=/containers/one/diff",
  "41 27 0:56 / /run rw - tmpfs tmpfs rw,size=1024k",
].join("\n");

it.each([
  ["a disk, which has one number as long as the system runs", 65024n, "ext4"],
  ["the layers of a container", 55n, "overlay rw,lowerdir=/l/1,upperdir=/containers/one/diff"],
  ["memory", 56n, "tmpfs"],
  ["what is not in the list", 57n, ""],
])("what is mounted is known by its device number: %s", (_, dev, mount) => {
  expect(parseMountOf(MOUNTS, dev)).toBe(mount);
});
