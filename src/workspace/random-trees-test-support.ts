/** What is in a directory and in a checkpoint, in the same words, so that they can be compared. */
import { createHash } from "node:crypto";
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { readRepository, runGit, type TestProject } from "./workspace-test-support.ts";

/** Mode and content, as git has them, by path as latin1. */
export type Tree = Record<string, string>;

/** Repositories that a person may have in a project. */
const REPOSITORIES = [".git", "inner/.git", "d/.git"];

/** Without directories and repositories, which no checkpoint has. */
export function readFiles(project: TestProject): Tree {
  const found: Tree = {};
  visit(project.directory, (name, path) => {
    const stats = lstatSync(path);
    const content = stats.isSymbolicLink() ? readlinkSync(path, { encoding: "buffer" }) : readFileSync(path);
    const mode = stats.isSymbolicLink() ? "120000" : stats.mode & 0o100 ? "100755" : "100644";
    const id = createHash("sha1").update(`blob ${content.length}\0`).update(content).digest("hex");
    found[name] = `${mode} ${id}`;
  });
  return found;
}

/** The lines of each file that is no link. */
export function linesOf(project: TestProject): Map<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  visit(project.directory, (name, path) => {
    if (lstatSync(path).isFile()) found.set(name, readFileSync(path, "latin1").split("\n"));
  });
  return found;
}

/** What a checkpoint has. */
export function treeOf(project: TestProject, checkpoint: string): Tree {
  const output = runGit(project.store, "-c", "core.quotePath=true", "ls-tree", "-r", checkpoint);
  const lines = output.split("\n").slice(0, -1);
  return Object.fromEntries(
    lines.map((line) => {
      const [, mode, id, name = ""] = /^(\d+) blob (\w+)\t(.*)$/.exec(line) ?? [];
      return [unquote(name), `${mode} ${id}`];
    }),
  );
}

export function differing(a: Tree, b: Tree): string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((name) => a[name] !== b[name]);
}

/** Every byte and time of the person's repositories is the same afterwards. */
export async function whileUntouched<Result>(
  project: TestProject,
  action: () => Promise<Result>,
): Promise<Result> {
  const read = () =>
    REPOSITORIES.map((name) => project.path(name)).map((path) => existsSync(path) && readRepository(path));
  const before = read();
  const result = await action();
  expect(read()).toEqual(before);
  return result;
}

/** As in a `Tree`. */
export function bytesOf(text: string): string {
  const bytes = [...text].map((character) => {
    const code = character.codePointAt(0)!;
    return code >= 0xdc80 && code <= 0xdcff ? Buffer.from([code - 0xdc00]) : Buffer.from(character);
  });
  return Buffer.concat(bytes).toString("latin1");
}

function visit(directory: string, see: (name: string, path: Buffer) => void): void {
  const enter = (folder: Buffer, name: string) => {
    for (const entry of readdirSync(folder, { encoding: "buffer", withFileTypes: true })) {
      const path = Buffer.concat([folder, Buffer.from("/"), entry.name]);
      const inner = join(name, entry.name.toString("latin1"));
      if (!entry.isDirectory()) see(inner, path);
      else if (entry.name.toString() !== ".git") enter(path, inner);
    }
  };
  enter(Buffer.from(directory), "");
}

/** Git quotes names as C does. */
function unquote(name: string): string {
  if (!name.startsWith('"')) return name;
  const escapes: Record<string, string> = { n: "\n", t: "\t" };
  return name
    .slice(1, -1)
    .replace(/\\([0-7]{3}|.)/g, (_, code: string) =>
      code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8)) : (escapes[code] ?? code),
    );
}
