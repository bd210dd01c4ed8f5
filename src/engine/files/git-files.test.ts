/** Files that travel by git, through the engine: kept with the end of a turn, laid down before another node's agent starts. */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { InterlinguaError } from "../../core/error.ts";
import type { CapturedFiles, GitFiles } from "../../core/git-files.ts";
import type { SessionAppend, Store } from "../../core/store.ts";
import { openStore } from "../../store/open-store.ts";
import { instrumentStore } from "../../testkit/instrument-store.ts";
import { ScriptedAdapter } from "../../testkit/scripted-adapter.ts";
import { TESTER } from "../../testkit/tester.ts";
import { until } from "../../testkit/until.ts";
import { create, open, text } from "../engine.test-support.ts";
import { openProject } from "./project.test-support.ts";
import { SharedClaims } from "./shared-claims.test-support.ts";
import { readStoredFiles } from "./stored-files.ts";

const idOf = (word: string) => createHash("sha1").update(word).digest("hex");

/** A clone whose files are one word, which is its own pack. */
class WordFiles implements GitFiles {
  readonly daemon: string;
  word = "first";
  head = idOf("head");
  problem: string | undefined;
  /** Laying them down takes until it is given up. */
  isSlow = false;
  readonly laidDown: { tree: string; earlier: readonly string[] }[] = [];

  constructor(daemon: string) {
    this.daemon = daemon;
  }

  travels(): boolean {
    return true;
  }

  async capture(_directory: string, former?: CapturedFiles) {
    if (this.problem !== undefined) throw new Error(this.problem);
    const { word, head } = this;
    const tree = idOf(word);
    if (former?.tree === tree) return { files: former };
    return { files: { head, tree, commit: idOf(tree), bases: [] }, pack: Buffer.from(word) };
  }

  async layDown(...[_, { files, earlier, pack }, signal]: Parameters<GitFiles["layDown"]>) {
    if (this.isSlow) await once(signal!, "abort");
    signal?.throwIfAborted();
    if (this.problem !== undefined) throw new InterlinguaError("workspace_failed", this.problem);
    this.word = Buffer.from(await pack()).toString();
    this.laidDown.push({ tree: files.tree, earlier });
    return "Laid down.";
  }
}

async function twoNodes() {
  const store = await openStore(":memory:");
  const claims = new SharedClaims(store);
  const [a, b] = [claims.join("a"), claims.join("b")];
  return { store, a, b, files: { a: new WordFiles("a"), b: new WordFiles("b") } };
}

type Opened = Awaited<ReturnType<typeof open>>;

async function turn({ engine, adapter, has }: Opened, ended: number): Promise<void> {
  const count = adapter.sessions.flatMap(({ commands }) => commands).length;
  await engine.run("prompt", { session: "s", parts: text("go"), whenBusy: "queue" }, TESTER);
  await until(() => adapter.sessions.flatMap(({ commands }) => commands).length > count);
  adapter.last.say({ type: "turn.ended", outcome: "completed" });
  await has("turn.ended", ended);
}

async function notices({ events }: Opened): Promise<string[]> {
  return (await events()).flatMap((event) =>
    event.type === "notice" && event.code === "files" ? event.text : [],
  );
}

async function partsIn(store: Store): Promise<string[]> {
  const parts: string[] = [];
  for await (const { part } of store.readMemory("s")) parts.push(part);
  return parts;
}

it("are committed with the end of the turn, and laid down before the next agent starts", async () => {
  const { a, b, files } = await twoNodes();
  const appends: SessionAppend[] = [];
  const store = instrumentStore(a.store, {
    append: (batch) => {
      appends.push(...batch);
      return a.store.append(batch);
    },
  });
  const first = await open({ ...a, store, gitFiles: files.a, isKilled: true });
  await create(first.engine);
  for (const [at, word] of ["one", "two", "two"].entries()) {
    files.a.word = word;
    await turn(first, at + 1);
  }
  const ends = appends.filter(({ events }) => events.some(({ json }) => json.includes('"turn.ended"')));
  expect(ends.map(({ memory = [] }) => memory.map(({ part, seq }) => `${part} ${seq}`))).toEqual([
    ["workspace-pack 0", "workspace 0"],
    ["workspace-pack 1", "workspace 1"],
    ["workspace 2"],
  ]);
  a.die();
  const adapter = new ScriptedAdapter();
  const seen: string[] = [];
  adapter.onConnect = () => seen.push(files.b.word);
  const second = await open({ ...b, adapter, gitFiles: files.b });
  await turn(second, 4);
  expect(seen).toEqual(["two"]);
  expect(files.b.laidDown).toEqual([{ tree: idOf("two"), earlier: [idOf("one")] }]);
  expect(await notices(second)).toEqual(["Laid down."]);
  await second.engine.close();
  // It has them now, whatever becomes of them.
  const again = await open({ ...b, gitFiles: files.b });
  files.b.word = "by a person";
  await turn(again, 5);
  expect(files.b.laidDown).toHaveLength(1);
});

it("that could not be captured are not in the store, so that nobody goes on from older ones", async () => {
  const { a, store, files } = await twoNodes();
  const opened = await open({ ...a, gitFiles: files.a });
  await create(opened.engine);
  await turn(opened, 1);
  expect(await partsIn(store)).toEqual(["workspace", "workspace-pack"]);
  files.a.problem = "too large";
  await turn(opened, 2);
  expect(await partsIn(store)).toEqual([]);
  await turn(opened, 3);
  expect(await notices(opened)).toEqual([
    expect.stringMatching(/not captured: too large\. .*this node only/),
  ]);
  files.a.problem = undefined;
  await turn(opened, 4);
  expect(await partsIn(store)).toEqual(["workspace", "workspace-pack"]);
});

it("that cannot be laid down fail the prompt, and are captured by nobody", async () => {
  const { a, b, files } = await twoNodes();
  const first = await open({ ...a, gitFiles: files.a, isKilled: true });
  await create(first.engine);
  files.a.word = "work";
  await turn(first, 1);
  a.die();
  files.b.problem = "Commit or stash it there.";
  const second = await open({ ...b, gitFiles: files.b });
  await second.engine.run("prompt", { session: "s", parts: text("go"), whenBusy: "queue" }, TESTER);
  await second.has("turn.ended", 2);
  const end = (await second.events()).filter((event) => event.type === "turn.ended").at(-1);
  expect(end).toMatchObject({ outcome: "failed", error: { code: "workspace_failed" } });
  expect(second.adapter.sessions).toEqual([]);
  files.b.problem = undefined;
  await turn(second, 3);
  expect(files.b.laidDown).toEqual([{ tree: idOf("work"), earlier: [] }]);
  expect(await notices(second)).toEqual(["Laid down."]);
});

it("are not waited for by a session that is closed while they are laid down", async () => {
  const { a, b, files } = await twoNodes();
  const first = await open({ ...a, gitFiles: files.a, isKilled: true });
  await create(first.engine);
  await turn(first, 1);
  a.die();
  files.b.isSlow = true;
  const second = await open({ ...b, gitFiles: files.b });
  await second.engine.run("prompt", { session: "s", parts: text("go"), whenBusy: "queue" }, TESTER);
  await second.engine.run("updateSession", { session: "s", status: "closed" }, TESTER);
  expect(await second.events()).toContainEqual(expect.objectContaining({ type: "session.closed" }));
  expect(files.b.laidDown).toEqual([]);
});

it("with something else where an id of git belongs are damaged, and git never hears of it", async () => {
  const { a, b, files } = await twoNodes();
  const first = await open({ ...a, gitFiles: files.a, isKilled: true });
  await create(first.engine);
  files.a.head = "--prefix=../";
  await turn(first, 1);
  a.die();
  const second = await open({ ...b, gitFiles: files.b });
  await second.engine.run("prompt", { session: "s", parts: text("go"), whenBusy: "queue" }, TESTER);
  await second.has("turn.ended", 2);
  const end = (await second.events()).filter((event) => event.type === "turn.ended").at(-1);
  expect(end).toMatchObject({ outcome: "failed", error: { code: "session_damaged" } });
  expect(end).toMatchObject({
    error: { message: expect.stringContaining('"--prefix=../" is no id of git') },
  });
  expect(files.b.laidDown).toEqual([]);
});

/** A clone whose files are one file in a directory. */
class FileInDirectory extends WordFiles {
  readonly #path: string;

  constructor(daemon: string, path: string) {
    super(daemon);
    this.#path = path;
  }

  override async capture(...given: Parameters<WordFiles["capture"]>) {
    this.word = readFileSync(this.#path, "utf8");
    return super.capture(...given);
  }

  override async layDown(...given: Parameters<WordFiles["layDown"]>) {
    const done = await super.layDown(...given);
    writeFileSync(this.#path, this.word);
    return done;
  }
}

/** Turn one was at b and turn two at a, which is gone: what a has captured is not laid down at b yet. */
async function openBehind() {
  const { a, b, store, files } = await twoNodes();
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), "interlingua-git-files-")));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  const gitFiles = new FileInDirectory("b", join(cwd, "a.txt"));
  const first = await openProject({ ...b, cwd, gitFiles, isKilled: true });
  first.write("a.txt", "one");
  await create(first.engine, "s", { cwd });
  await first.turn(() => first.write("a.txt", "two"));
  b.die();
  const second = await open({ ...a, gitFiles: files.a, isKilled: true });
  await second.engine.run("prompt", { session: "s", parts: text("go"), whenBusy: "queue" }, TESTER);
  await until(() => second.adapter.last?.commands.length === 1);
  files.a.word = "three";
  second.adapter.last.say({ type: "turn.ended", outcome: "completed" });
  await second.has("turn.ended", 2);
  a.die();
  const { workspace } = first;
  const back = await openProject({ ...b, cwd, gitFiles, workspace });
  expect(back.read("a.txt")).toBe("two");
  return { ...back, store, gitFiles };
}

it("are laid down before a restore, which the next prompt then leaves as it is", async () => {
  const { engine, read, latest, turn, gitFiles, store } = await openBehind();
  const { restored } = await engine.run(
    "restore",
    { session: "s", checkpoint: await latest("before"), onConflict: "overwrite" },
    TESTER,
  );
  expect(gitFiles.laidDown).toMatchObject([{ tree: idOf("three") }]);
  expect(restored).toEqual(["a.txt"]);
  expect(read("a.txt")).toBe("one");
  expect((await readStoredFiles(store, "s")).about).toMatchObject({ at: "b", tree: idOf("one") });
  await turn(() => {});
  expect(gitFiles.laidDown).toHaveLength(1);
  expect(read("a.txt")).toBe("one");
});

it("are laid down before an approval, which is of what the agent has left", async () => {
  const { engine, read, workspace, gitFiles } = await openBehind();
  const { checkpoint } = await engine.run("approve", { session: "s" }, TESTER);
  expect(gitFiles.laidDown).toHaveLength(1);
  expect(read("a.txt")).toBe("three");
  expect(workspace.copies.get(checkpoint)?.get("a.txt")).toBe("three");
});

it("are laid down once for a prompt and an approval at the same moment", async () => {
  const { engine, adapter, read, gitFiles } = await openBehind();
  await Promise.all([
    engine.run("prompt", { session: "s", parts: text("go"), whenBusy: "queue" }, TESTER),
    engine.run("approve", { session: "s" }, TESTER),
  ]);
  await until(() => adapter.last?.commands.length === 1);
  expect(gitFiles.laidDown).toHaveLength(1);
  expect(read("a.txt")).toBe("three");
});
