import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { rename, symlink, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { refusal, V1 } from "../v1-test-support.ts";

let v1: V1;
/** Beside the root, with a directory that nobody may see. */
let outside: string;
/** A directory of its own inside the root for each test. */
let place: string;

beforeAll(async () => {
  v1 = await V1.start();
  outside = realpathSync(mkdtempSync(join(tmpdir(), "interlingua-outside-")));
  mkdirSync(join(outside, "secret", "deeper"), { recursive: true });
});

afterAll(async () => {
  await v1.server.close();
  rmSync(outside, { recursive: true });
});

beforeEach(() => {
  place = mkdtempSync(join(v1.server.root, "place-"));
});

function make(...names: string[]): void {
  for (const name of names) mkdirSync(join(place, name), { recursive: true });
}

function list(path: string, search?: string) {
  const query = new URLSearchParams({ path, ...(search !== undefined && { search }) });
  return v1.call("GET", `/v1/directories?${query}`);
}

const namesIn = async (path: string, search?: string): Promise<string[]> =>
  (await list(path, search)).body.directories.map(({ name }: { name: string }) => name);

describe("directories", () => {
  test("without a path they are the roots", async () => {
    const { root } = v1.server;
    const { body } = await v1.call("GET", "/v1/directories");
    expect(body).toEqual({ directories: [{ name: expect.any(String), path: root }] });
    expect((await list(root)).body).not.toHaveProperty("parent");
  });

  test("are listed by name, hidden ones last, without files; repositories are marked", async () => {
    make("b10", "b9", ".hidden", "Alpha", "repository/.git", "worktree");
    writeFileSync(join(place, "worktree", ".git"), "gitdir: elsewhere");
    writeFileSync(join(place, "a-file"), "");
    const { body } = await list(place);
    expect(body.path).toBe(place);
    expect(body.parent).toBe(v1.server.root);
    expect(body.directories.map(({ name }: { name: string }) => name)).toEqual([
      ...["Alpha", "b9", "b10", "repository", "worktree", ".hidden"],
    ]);
    const marks = new Map(
      body.directories.map(({ name, isRepository, isHidden }: Record<string, unknown>) => [
        name,
        [isRepository, isHidden],
      ]),
    );
    expect(marks.get("repository")).toEqual([true, undefined]);
    expect(marks.get("worktree")).toEqual([true, undefined]);
    expect(marks.get(".hidden")).toEqual([undefined, true]);
    expect(marks.get("Alpha")).toEqual([undefined, undefined]);
    expect((await list(join(place, "Alpha"))).body).not.toHaveProperty("isInRepository");
    expect((await list(join(place, "repository", ".git"))).body.isInRepository).toBe(true);
    expect(await namesIn(place, "ALP")).toEqual(["Alpha"]);
  });

  test("a link is listed where it leads to a directory inside, and resolved when it is looked into", async () => {
    make("real/inner");
    symlinkSync(join(place, "real"), join(place, "link"));
    symlinkSync(outside, join(place, "escape"));
    symlinkSync(join(place, "nowhere"), join(place, "broken"));
    writeFileSync(join(place, "file"), "");
    symlinkSync(join(place, "file"), join(place, "to-file"));
    expect(await namesIn(place)).toEqual(["link", "real"]);
    const { body } = await list(join(place, "link"));
    expect([body.path, body.parent]).toEqual([join(place, "real"), place]);
  });

  test("what lies outside is refused alike, whether it exists or not", async () => {
    symlinkSync(outside, join(place, "escape"));
    const paths = [
      ...[outside, join(outside, "secret"), join(outside, "missing"), "/", "/etc/passwd", "/nowhere/at/all"],
      ...[join(place, "escape"), join(place, "escape", "secret"), `${place}/../../..`],
    ];
    for (const path of paths) {
      const answer = await list(path);
      expect([path, ...refusal(answer)]).toEqual([path, 403, "outside_roots"]);
      expect(answer.text).not.toContain("deeper");
    }
  });

  test("bad input is refused with the field and what helps", async () => {
    writeFileSync(join(place, "file"), "");
    expect(refusal(await list(join(place, "missing")))).toEqual([422, "not_a_directory"]);
    expect(refusal(await list(join(place, "file")))).toEqual([422, "not_a_directory"]);
    for (const path of ["relative", "", "~", `${place}\0`, `/${"x".repeat(5000)}`]) {
      const answer = await list(path);
      expect(refusal(answer)).toEqual([400, "invalid_request"]);
      expect(answer.body.errors).toMatchObject([{ path: "path" }]);
    }
    expect(refusal(await v1.call("GET", "/v1/directories?depth=2"))).toEqual([400, "invalid_request"]);
  });

  test.skipIf(process.getuid?.() === 0)("one that may not be read is refused", async () => {
    make("locked");
    chmodSync(join(place, "locked"), 0);
    const answer = await list(join(place, "locked"));
    expect(refusal(answer)).toEqual([422, "not_a_directory"]);
    expect(answer.body.detail).toContain("may not read");
  });

  test("are a thousand at most, and it is said that there are more", async () => {
    make(...Array.from({ length: 1005 }, (_, index) => `d${index}`));
    const { body } = await list(place);
    expect([body.directories.length, body.isTruncated]).toEqual([1000, true]);
    expect(body.directories.at(-1).name).toBe("d999");
    const few = (await v1.call("GET", `/v1/directories?path=${place}&limit=2`)).body;
    expect([few.directories.map(({ name }: { name: string }) => name), few.isTruncated]).toEqual([
      ["d0", "d1"],
      true,
    ]);
    expect(refusal(await v1.call("GET", "/v1/directories?limit=1001"))).toEqual([400, "invalid_request"]);
    expect((await list(place, "d100")).body).not.toHaveProperty("isTruncated");
  });

  test("are found by a part of their names, the nearest first, wherever they are below", async () => {
    make("services/tiles/cache", "tiles", "node_modules/tiles", ".hidden/tiles", "a/b/c/d/Old-Tiles/.git");
    symlinkSync(join(place, "services"), join(place, "link-to-tiles"));
    symlinkSync(outside, join(place, "tiles-outside"));
    const found = async (query: Record<string, string>) => {
      const { body } = await v1.call("GET", `/v1/directories?${new URLSearchParams(query)}`);
      return body.directories.map(({ path }: { path: string }) => path.replace(`${place}/`, ""));
    };
    const all = ["link-to-tiles", "tiles", "services/tiles", "a/b/c/d/Old-Tiles"];
    expect(await found({ path: place, search: "TILES" })).toEqual(all);
    expect(await found({ search: "tiles" })).toEqual(all);
    expect(await found({ search: "deeper" })).toEqual([]);
    expect((await list(place, "old-tiles")).body).toMatchObject({
      path: place,
      directories: [{ name: "Old-Tiles", isRepository: true }],
    });
    const first = (await v1.call("GET", `/v1/directories?path=${place}&search=tiles&limit=2`)).body;
    expect([first.directories.length, first.isTruncated]).toEqual([2, true]);
    expect(refusal(await list(place, "x".repeat(257)))).toEqual([400, "invalid_request"]);
  });

  test("are looked for in eight levels, and it is said that there is more", async () => {
    make(`${"deep/".repeat(7)}within`, `${"deep/".repeat(8)}beyond`);
    expect(await namesIn(place, "within")).toEqual(["within"]);
    const { body } = await list(place, "beyond");
    expect([body.directories, body.isTruncated]).toEqual([[], true]);
  });

  test("one that is exchanged for a link while it is looked into shows nothing of what is outside", async () => {
    make("swapped/harmless");
    const swapped = join(place, "swapped");
    const kept = join(place, "kept");
    let isDone = false;
    const swapping = (async () => {
      while (!isDone) {
        await rename(swapped, kept);
        await symlink(outside, swapped);
        await unlink(swapped);
        await rename(kept, swapped);
      }
    })();
    const seen = new Set<string>();
    for (let round = 0; round < 300 || seen.size === 0; round += 1) {
      const answer = await (round % 2 === 0 ? list(swapped) : list(swapped, "e"));
      if (answer.status === 200) for (const { name } of answer.body.directories) seen.add(name);
      else expect([403, 422]).toContain(answer.status);
      expect(answer.text).not.toContain("secret");
    }
    isDone = true;
    await swapping;
    expect([...seen]).toEqual(["harmless"]);
  });
});

describe("files of a session", () => {
  const find = (session: string, query = "") => v1.call("GET", `/v1/sessions/${session}/files${query}`);
  const write = (name: string) => {
    mkdirSync(join(place, name, ".."), { recursive: true });
    writeFileSync(join(place, name), "");
  };
  const pathsOf = (body: { files: { path: string }[] }) => body.files.map(({ path }) => path);

  test("are those that git tracks or does not ignore, the likeliest first", async () => {
    execFileSync("git", ["init", "-q", place]);
    for (const name of ["src/app.ts", "src/app/main.ts", "README.md", "ignored/app.js", "gone-app.ts"])
      write(name);
    writeFileSync(join(place, ".gitignore"), "ignored\n");
    execFileSync("git", ["add", "."], { cwd: place });
    rmSync(join(place, "gone-app.ts"));
    write("untracked-app.ts");
    symlinkSync(outside, join(place, "escape"));
    const session = await v1.createSession({ cwd: place });
    const { body } = await find(session, "?search=app");
    expect(body.files).toEqual([
      { path: "src/app", isDirectory: true },
      { path: "src/app.ts" },
      { path: "untracked-app.ts" },
      { path: "src/app/main.ts" },
    ]);
    expect(pathsOf((await find(session, "?search=secret")).body)).toEqual([]);
    expect(pathsOf((await find(session, "?limit=2")).body)).toEqual(["src", "escape"]);
  });

  test("are found by a walk where there is no repository, without what nobody wrote by hand", async () => {
    for (const name of ["docs/guide.md", "node_modules/guide/index.js", ".cache/guide", "guide"]) write(name);
    symlinkSync(outside, join(place, "guide-link"));
    const session = await v1.createSession({ cwd: place });
    expect(pathsOf((await find(session, "?search=guide")).body)).toEqual([
      ...["guide", "guide-link", "docs/guide.md"],
    ]);
  });

  test("of a directory that became a link to somewhere else are refused", async () => {
    make("project");
    const session = await v1.createSession({ cwd: join(place, "project") });
    rmSync(join(place, "project"), { recursive: true });
    expect(refusal(await find(session))).toEqual([422, "not_a_directory"]);
    symlinkSync(outside, join(place, "project"));
    const answer = await find(session, "?search=secret");
    expect(refusal(answer)).toEqual([403, "outside_roots"]);
  });

  test("bad input is refused with the field", async () => {
    const session = await v1.createSession({ cwd: place });
    expect(refusal(await find("nobody"))).toEqual([404, "session_not_found"]);
    for (const query of ["limit=0", "limit=201", `search=${"x".repeat(300)}`]) {
      const answer = await find(session, `?${query}`);
      expect(refusal(answer)).toEqual([400, "invalid_request"]);
      expect(answer.body.errors).toMatchObject([{ path: query.split("=")[0] }]);
    }
  });
});
