/**
 * Files that travel by git between real nodes. Each has a clone of its own at the same path: a mount that only its process
 * sees. Where processes may not have such mounts, nothing of this can be run; CI fails then.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { EventOf, SessionEvent } from "../../src/core/event.ts";
import { createSession, runTurn, untilAgentWorks } from "./node-sessions.ts";
import { endNode, type TestNode, withMount } from "./start-node.ts";
import { TestCluster } from "./test-cluster.ts";

const [PROGRAM, ...PROBE] = [...withMount("/tmp", "/mnt"), "true"];
const canMount = spawnSync(PROGRAM!, PROBE).status === 0;

let cluster: TestCluster;
let place: string;
/** Where all nodes have their clones, as they see it. */
let root: string;

function git(directory: string, ...args: string[]): string {
  const identity = ["-c", "user.name=me", "-c", "user.email=me@localhost"];
  return execFileSync("git", [...identity, ...args], { cwd: directory, encoding: "utf8", stdio: "pipe" });
}

const inPlace = (...names: string[]) => join(place, ...names);
const statusOf = (name: string) => git(inPlace(name), "status", "--porcelain", "--untracked-files=all");
const headOf = (name: string) => git(inPlace(name), "rev-parse", "HEAD");

function start(name: string, mounted = inPlace(name)): Promise<TestNode> {
  return cluster.startNode({ data: inPlace(`data-${name}`), root, mounted, files: "git" });
}

function create(node: TestNode): Promise<void> {
  return createSession(node, "s", { cwd: root });
}

function run(node: TestNode, text: string): Promise<SessionEvent[]> {
  return runTurn(node, "s", text);
}

function noticesOf(events: readonly SessionEvent[]): string[] {
  return events.flatMap((event) => (event.type === "notice" && event.code === "files" ? event.text : []));
}

function endOf(events: readonly SessionEvent[]): EventOf<"turn.ended"> | undefined {
  return events.filter((event) => event.type === "turn.ended").at(-1);
}

describe.skipIf(!canMount && !process.env.CI)("nodes with clones of their own", () => {
  beforeAll(async () => {
    cluster = await TestCluster.start();
  });

  afterAll(() => cluster[Symbol.asyncDispose]());

  beforeEach(() => {
    place = cluster.temporary();
    root = inPlace("projects");
    mkdirSync(root);
    git(place, "init", "--quiet", "-b", "main", "a");
    writeFileSync(inPlace("a", "tracked.txt"), "tracked\n");
    git(inPlace("a"), "add", ".");
    git(inPlace("a"), "commit", "--quiet", "-m", "first");
    git(place, "clone", "--quiet", "--bare", "a", "origin.git");
    git(inPlace("a"), "remote", "add", "origin", inPlace("origin.git"));
    git(inPlace("a"), "fetch", "--quiet", "origin");
    git(place, "clone", "--quiet", "origin.git", "b");
  });

  afterEach(() => cluster.clear());

  it("goes on at another node with the files as they were, and comes back with what was done there", async () => {
    const a = await start("a");
    await create(a);
    writeFileSync(inPlace("a", "commit.txt"), "not pushed\n");
    git(inPlace("a"), "add", ".");
    git(inPlace("a"), "commit", "--quiet", "-m", "not pushed");
    rmSync(inPlace("a", "tracked.txt"));
    expect(noticesOf(await run(a, "scenario:files"))).toEqual([]);
    expect(existsSync(inPlace("a", "mock-written.txt"))).toBe(true);
    expect(existsSync(inPlace("b", "mock-written.txt"))).toBe(false);
    await endNode(a, "SIGKILL");

    const b = await start("b");
    const events = await run(b, "scenario:text hello");
    expect(endOf(events)).toMatchObject({ outcome: "completed" });
    expect(noticesOf(events)).toEqual([expect.stringContaining("were laid down in")]);
    expect([statusOf("b"), headOf("b")]).toEqual([statusOf("a"), headOf("a")]);
    expect(readFileSync(inPlace("b", "mock-written.txt"))).toEqual(
      readFileSync(inPlace("a", "mock-written.txt")),
    );
    // Once: afterwards the person may change files there, and they travel, too.
    writeFileSync(inPlace("b", "mine.txt"), "written there\n");
    expect(noticesOf(await run(b, "scenario:text again"))).toEqual([]);
    await endNode(b, "SIGTERM");

    const back = await start("a");
    expect(endOf(await run(back, "scenario:text and back"))).toMatchObject({ outcome: "completed" });
    expect(readFileSync(inPlace("a", "mine.txt"), "utf8")).toBe("written there\n");
    expect(statusOf("a")).toBe(statusOf("b"));
    // Nothing else is left in a clone.
    expect(git(inPlace("b"), "for-each-ref", "--format=%(refname)")).toBe(
      "refs/heads/main\nrefs/remotes/origin/HEAD\nrefs/remotes/origin/main\n",
    );
  });

  it("what a turn did that was cut off stays where it was, and is not overwritten there", async () => {
    const a = await start("a");
    await create(a);
    await run(a, "scenario:files");
    await a.client.prompt("s", "scenario:hang");
    await untilAgentWorks(a, "s");
    writeFileSync(inPlace("a", "half.txt"), "half done\n");
    await endNode(a, "SIGKILL");
    const b = await start("b");
    expect(noticesOf(await run(b, "scenario:text hello"))).toEqual([
      expect.stringContaining("is not among them"),
    ]);
    expect(existsSync(inPlace("b", "half.txt"))).toBe(false);
    await endNode(b, "SIGTERM");
    const back = await start("a");
    expect(endOf(await run(back, "scenario:text and back"))).toMatchObject({
      outcome: "failed",
      error: { code: "workspace_failed", message: expect.stringContaining(root) },
    });
    expect(readFileSync(inPlace("a", "half.txt"), "utf8")).toBe("half done\n");
  });

  it("does not begin over what somebody has changed there, until it is out of the way", async () => {
    const a = await start("a");
    await create(a);
    await run(a, "scenario:files");
    await endNode(a, "SIGTERM");
    writeFileSync(inPlace("b", "tracked.txt"), "mine\n");
    const b = await start("b");
    const { outcome, error } = endOf(await run(b, "scenario:text hello"))!;
    expect({ outcome, code: error?.code }).toEqual({ outcome: "failed", code: "workspace_failed" });
    expect(error?.message).toContain("Commit or stash");
    expect(statusOf("b")).toBe(" M tracked.txt\n");
    git(inPlace("b"), "stash", "--quiet");
    expect(endOf(await run(b, "scenario:text hello"))).toMatchObject({ outcome: "completed" });
    expect(statusOf("b")).toBe(statusOf("a"));
  });

  it("a session without a repository stays at its node, and that is said once", async () => {
    mkdirSync(inPlace("plain"));
    const a = await start("a", inPlace("plain"));
    await create(a);
    expect(noticesOf(await run(a, "scenario:files"))).toEqual([
      expect.stringContaining("is in no git repository"),
    ]);
    expect(noticesOf(await run(a, "scenario:text more"))).toEqual([]);
    await endNode(a, "SIGTERM");
    const b = await start("b");
    const response = await b.client.request("POST", "/v1/sessions/s/messages", { text: "hello" });
    expect([response.status, await response.json()]).toMatchObject([503, { code: "node_unreachable" }]);
    expect(statusOf("b")).toBe("");
  });
});
