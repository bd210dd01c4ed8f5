/** Questions about files between nodes in memory: who is asked, and what is said where nobody has them. */
import { beforeEach, describe, expect, it } from "vitest";
import { InterlinguaError } from "../core/error.ts";
import { isInside } from "../core/is-inside.ts";
import type { NodeFiles } from "../core/node-files.ts";
import type { PromptPart } from "../core/prompt-part.ts";
import { ClusterFiles } from "./cluster-files.ts";
import type { NodeRoot } from "./node-profile.ts";
import { decodeAnswer, encodeProblem, encodeResult } from "./peers/encoded-answer.ts";
import { type PeerTransport, PeerUnreachableError } from "./peers/peer-transport.ts";
import type { PlacementNode, SessionNeeds } from "./placement.ts";

const SHARED: NodeRoot = { path: "/srv", files: "shared" };
const PINNED: NodeRoot = { path: "/data/pin", files: "pinned", named: "/pin" };

type Handler = (body: unknown, from: number) => Promise<unknown>;

/** Node 1 and 3 share a root, node 2 has one of its own. */
let nodes: PlacementNode[];
let handlers: Map<number, Handler>;
/** What each node was asked, and answered or refused. */
let asked: [node: number, question: string, ...given: unknown[]][];
let session: { owner?: number; needs: SessionNeeds } | undefined;
let files: ClusterFiles;

/** The links that node 2 has. */
const LINKS: Readonly<Record<string, string>> = {
  "/pin": "/data/pin",
  "/data/pin/out": "/etc",
  "/pin/out": "/etc",
};

function local(id: number, roots: readonly NodeRoot[]): NodeFiles {
  const check = (question: string, path: string, ...given: unknown[]): string => {
    asked.push([id, question, path, ...given]);
    const real = (id === 2 && LINKS[path]) || path;
    if (roots.some((root) => isInside(real, root.path))) return real;
    throw new InterlinguaError("outside_roots", `outside at ${id}`);
  };
  return {
    directory: async (path, opened) => check("directory", path ?? roots[0]!.path, opened),
    directoryFor: async (_session, path, isOpened) => check("directoryFor", path, isOpened),
    async checkParts(_session, parts, within) {
      for (const part of parts) {
        if (part.type === "context") check("checkParts", part.path, within, part.content);
        if (part.type === "file" && !part.url.startsWith("data:")) throw new Error("not by this test");
      }
    },
    findFiles: async ({ cwd }) => ({ files: [{ path: check("findFiles", cwd) }] }),
    listDirectories: async ({ path }) =>
      path === undefined
        ? { directories: roots.map((root) => ({ name: "own", path: root.path })) }
        : { path: check("listDirectories", path), directories: [] },
  };
}

function join(id: number, roots: readonly NodeRoot[]): ClusterFiles {
  nodes.push({
    ...{ id, name: `node-${id}`, url: `http://127.0.0.1:${id}`, daemon: `daemon-${id}` },
    ...{ isDraining: false, readsFormat: 1, agents: 0, maxAgents: 10 },
    profile: { labels: {}, roots, agents: ["mock"] },
  });
  const transport: PeerTransport = {
    async call(node, _path, body) {
      const handler = handlers.get(node.id);
      if (!handler) throw new PeerUnreachableError("gone", { mayHaveArrived: false });
      return decodeAnswer(
        await handler(JSON.parse(JSON.stringify(body)), id).then(encodeResult, encodeProblem),
      );
    },
    open: () => Promise.reject(new Error("not used")),
  };
  const made = new ClusterFiles({
    local: local(id, roots),
    places: {
      find: async () => {
        const owner = nodes.find((node) => node.id === session?.owner);
        return session && { ...(owner && { owner }), needs: session.needs };
      },
      nodes: async () => nodes,
    },
    transport,
    node: () => id,
    random: () => 0,
  });
  made.serve({ onCall: (_path, handler) => void handlers.set(id, handler), onOpen: () => {} });
  return made;
}

function die(id: number): void {
  nodes = nodes.filter((node) => node.id !== id);
  handlers.delete(id);
}

beforeEach(() => {
  nodes = [];
  handlers = new Map();
  asked = [];
  session = undefined;
  files = join(1, [SHARED]);
  join(2, [PINNED]);
  join(3, [SHARED]);
});

const who = () => asked.map(([node]) => node);

describe("a directory", () => {
  it("is resolved here where this node has it, and by default", async () => {
    expect(await files.directory("/srv/project", "s")).toBe("/srv/project");
    expect(await files.directory(undefined)).toBe("/srv");
    expect(asked).toEqual([
      [1, "directory", "/srv/project", "s"],
      [1, "directory", "/srv", undefined],
    ]);
  });

  it("is resolved by the node that has it, by either name, and not by what was opened for a session", async () => {
    expect(await files.directory("/data/pin/project", "s")).toBe("/data/pin/project");
    expect(await files.directory("/pin")).toBe("/data/pin");
    expect(asked.filter(([node]) => node === 2)).toEqual([
      [2, "directory", "/data/pin/project", undefined],
      [2, "directory", "/pin", undefined],
    ]);
  });

  it("that leads out of the roots of the node that has it is refused by that", async () => {
    await expect(files.directory("/data/pin/out")).rejects.toMatchObject({
      code: "outside_roots",
      message: "outside at 2",
    });
    // A path that only looks as if.
    await expect(files.directory("/data/pin/../other")).rejects.toMatchObject({ code: "outside_roots" });
    await expect(files.directory("/data/pinned")).rejects.toMatchObject({ code: "outside_roots" });
    expect(who()).toEqual([1, 2, 1, 1]);
  });

  it("of nobody is refused with the roots of all, and the remedy is a node that has it", async () => {
    await expect(files.directory("/etc")).rejects.toMatchObject({
      code: "outside_roots",
      message: expect.stringMatching(/run may work in: \/srv, \/data\/pin\. Start the node that has it/),
    });
    expect(who()).toEqual([1]);
  });

  it("of a node that does not answer is 503", async () => {
    handlers.delete(2);
    await expect(files.directory("/data/pin")).rejects.toMatchObject({
      code: "node_unreachable",
      message: expect.stringContaining('"node-2", which does not answer'),
    });
  });

  it("is looked into at its node, and the roots of all are listed", async () => {
    expect(await files.listDirectories({ path: "/data/pin", limit: 9 })).toMatchObject({ path: "/data/pin" });
    expect(await files.listDirectories({ limit: 9 })).toEqual({
      directories: [
        { name: "own", path: "/srv" },
        { name: "pin", path: "/data/pin" },
      ],
    });
    expect(await files.listDirectories({ limit: 1 })).toMatchObject({ isTruncated: true });
    expect((await files.listDirectories({ search: "p", limit: 9 })).directories).toHaveLength(1);
  });
});

describe("what belongs to a session", () => {
  const cwd = "/data/pin/project";
  const pinned: SessionNeeds = {
    ...{ agent: "mock", cwd, format: 1 },
    ...{ lastDaemon: "daemon-2", home: "daemon-2", homeName: "pin" },
  };
  const context = (path: string): PromptPart => ({ type: "context", path, content: "much" });

  it("is asked where its files are, whoever has it", async () => {
    for (const owner of [2, undefined]) {
      session = { owner, needs: pinned };
      expect(await files.findFiles({ session: "s", cwd, search: "", limit: 5 })).toEqual({
        files: [{ path: cwd }],
      });
      expect(await files.directoryFor("s", cwd, true)).toBe(cwd);
      await files.checkParts("s", [{ type: "text", text: "x" }, context(`${cwd}/a`)], cwd);
    }
    expect(asked).toEqual([
      [2, "findFiles", cwd],
      [2, "directoryFor", cwd, false],
      [2, "checkParts", `${cwd}/a`, cwd, undefined],
      [2, "findFiles", cwd],
      [2, "directoryFor", cwd, false],
      [2, "checkParts", `${cwd}/a`, cwd, undefined],
    ]);
  });

  it("is not judged by the roots of the node that was called", async () => {
    session = { owner: 2, needs: pinned };
    await expect(files.checkParts("s", [context("/srv/secret")])).rejects.toMatchObject({
      code: "outside_roots",
      message: "outside at 2",
    });
    // Nor is a fork made at a node that has the directory it is to work in.
    await expect(files.directoryFor("s", "/srv/project", true)).rejects.toMatchObject({
      code: "outside_roots",
      message: expect.stringContaining("a fork is made where its session is"),
    });
    await expect(files.directoryFor("s", "/data/pin/out", true)).rejects.toMatchObject({
      message: "outside at 2",
    });
  });

  it("whose node is gone: 503 that names it, also while another node has the log", async () => {
    die(2);
    const gone = {
      code: "node_unreachable",
      message:
        'The files of session "s" are at the node "pin", which is gone or going away. Start it again; what waits in the session runs then.',
    };
    for (const owner of [1, 3, undefined]) {
      session = { owner, needs: pinned };
      await expect(files.directoryFor("s", cwd, true)).rejects.toMatchObject(gone);
      await expect(files.checkParts("s", [context(cwd)])).rejects.toMatchObject(gone);
      await expect(files.findFiles({ session: "s", cwd, search: "", limit: 5 })).rejects.toMatchObject(gone);
    }
    expect(asked).toEqual([]);
  });

  it("and has its content with it, or no session yet, needs no other node", async () => {
    session = { owner: 2, needs: pinned };
    const file = { type: "file" as const, url: "data:,x", mediaType: "text/plain" };
    await files.checkParts("s", [{ type: "text", text: "x" }, file]);
    session = undefined;
    // Whoever gets the session looks at it.
    await files.checkParts("s", [context("/data/pin/a")]);
    expect(asked).toEqual([]);
    await expect(files.checkParts("s", [context("/data/pin/a")], "/srv")).rejects.toMatchObject({
      code: "outside_roots",
    });
  });

  it("can be asked for by other nodes in these ways only", async () => {
    for (const body of [null, {}, { ask: "close" }, { ask: "constructor" }])
      await expect(handlers.get(2)!(body, 1)).rejects.toMatchObject({ code: "unsupported" });
  });
});
