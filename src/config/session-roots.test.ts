import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { SessionRoots } from "./session-roots.ts";

let directory: string;
let data: string;
let project: string;
let roots: SessionRoots;

beforeEach(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), "interlingua-session-roots-")));
  data = join(directory, "all/data");
  project = join(directory, "project");
  mkdirSync(data, { recursive: true });
  mkdirSync(project);
  roots = new SessionRoots(data);
});

afterEach(() => rmSync(directory, { recursive: true }));

test("a directory is opened for one session, until it is revoked", () => {
  roots.allow("s1", project);
  expect(statSync(join(data, "session-roots/s1")).mode & 0o777).toBe(0o600);
  expect(new SessionRoots(data).directoryOf("s1")).toBe(project);
  expect(roots.directoryOf("s2")).toBeUndefined();
  roots.revoke("s1");
  roots.revoke("s1");
  expect(roots.directoryOf("s1")).toBeUndefined();
});

test("a directory whose name ends in white space does not open the one without it", () => {
  for (const ending of [" ", "\n"]) {
    mkdirSync(project + ending);
    roots.allow("s1", project + ending);
    expect(roots.directoryOf("s1")).toBe(project + ending);
  }
});

test("the root, the home, the data directory and what holds them are never opened", () => {
  for (const never of ["/", homedir(), dirname(homedir()), data, dirname(data), join(data, "agents")]) {
    expect(roots.refusal(never)).toEqual(expect.any(String));
    roots.allow("s1", never);
    expect(roots.directoryOf("s1")).toBeUndefined();
  }
  expect(roots.refusal(project)).toBeUndefined();
});

test("a file that others can read, a link, and a directory that has become one open nothing", () => {
  const file = join(data, "session-roots/s1");
  roots.allow("s1", project);
  chmodSync(file, 0o644);
  expect(roots.directoryOf("s1")).toBeUndefined();

  const elsewhere = join(directory, "elsewhere");
  writeFileSync(elsewhere, JSON.stringify(project), { mode: 0o600 });
  rmSync(file);
  symlinkSync(elsewhere, file);
  expect(roots.directoryOf("s1")).toBeUndefined();

  rmSync(file);
  roots.allow("s1", project);
  rmSync(project, { recursive: true });
  symlinkSync("/etc", project);
  expect(roots.directoryOf("s1")).toBeUndefined();
});
