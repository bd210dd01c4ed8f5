import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { FilesOfRoot } from "./node-profile.ts";
import { fits, type PlacementNode, placeSession, type SessionNeeds } from "./placement.ts";

interface Given extends Partial<Omit<PlacementNode, "profile">> {
  files?: FilesOfRoot;
  root?: string;
  agentNames?: string[];
  labels?: Record<string, string>;
}

function node(id: number, given: Given = {}): PlacementNode {
  const { files = "shared", root = "/srv", agentNames = ["mock"], labels = {}, ...rest } = given;
  return {
    id,
    name: `node-${id}`,
    daemon: `daemon-${id}`,
    isDraining: false,
    readsFormat: 3,
    agents: 0,
    maxAgents: 10,
    profile: { labels, roots: [{ path: root, files }], agents: agentNames },
    ...rest,
  };
}

const NEEDS: SessionNeeds = { agent: "mock", cwd: "/srv/project", format: 3 };
const OF_NODE_2: SessionNeeds = { ...NEEDS, lastDaemon: "daemon-2" };

function placed(
  nodes: PlacementNode[],
  needs = NEEDS,
  options: { self?: number; except?: Set<number> } = {},
) {
  return placeSession(nodes, needs, { self: 1, random: () => 0, ...options })?.id;
}

describe("a new session", () => {
  it("goes to the node that was called, if that has room", () => {
    expect(placed([node(1, { agents: 9 }), node(2), node(3)])).toBe(1);
    expect(placed([node(1, { agents: 10 }), node(2, { agents: 5 })])).toBe(2);
    expect(placed([node(1, { isDraining: true }), node(2)])).toBe(2);
  });

  it("goes to a node that has its root, pinned or not", () => {
    expect(placed([node(1, { root: "/other" }), node(2, { files: "pinned" })])).toBe(2);
    expect(placed([node(1, { root: "/srv/pro" }), node(2)])).toBe(2);
    expect(placed([node(1, { root: "/" })])).toBe(1);
  });

  it("goes to a node that has the agent and the labels", () => {
    expect(placed([node(1, { agentNames: ["claude"] }), node(2)])).toBe(2);
    const needs = { ...NEEDS, labels: { zone: "b" } };
    expect(placed([node(1, { labels: { zone: "a" } }), node(2, { labels: { zone: "b" } })], needs)).toBe(2);
    expect(placed([node(1)], needs)).toBeUndefined();
  });
});

describe("a free session", () => {
  it("goes back to who had it, under whatever number", () => {
    expect(placed([node(1), node(2), node(3)], OF_NODE_2)).toBe(2);
    expect(placed([node(1), node(9, { daemon: "daemon-2" })], OF_NODE_2)).toBe(9);
  });

  it("goes to the less loaded of two others when that one is full, going or gone", () => {
    for (const former of [node(2, { agents: 10 }), node(2, { isDraining: true }), undefined]) {
      const others = [node(1, { agents: 8 }), node(3, { agents: 2 })];
      expect(placed(former ? [...others, former] : others, OF_NODE_2)).toBe(3);
    }
  });

  it("stays where its files are pinned", () => {
    const pinned = { files: "pinned" } as const;
    expect(placed([node(1, pinned), node(2, { ...pinned, agents: 10 })], OF_NODE_2)).toBe(2);
    expect(placed([node(1, pinned)], OF_NODE_2)).toBeUndefined();
    expect(placed([node(1, pinned), node(2, { ...pinned, isDraining: true })], OF_NODE_2)).toBeUndefined();
  });

  it("goes to another clone with its files, if they were captured", () => {
    const clones = [node(1, { files: "git" }), node(2, { files: "git", agents: 10 })];
    expect(placed(clones, OF_NODE_2)).toBe(2);
    expect(placed(clones.slice(0, 1), OF_NODE_2)).toBeUndefined();
    expect(placed(clones, { ...OF_NODE_2, isCaptured: true })).toBe(1);
    expect(placed([node(1, { files: "pinned" })], { ...OF_NODE_2, isCaptured: true })).toBeUndefined();
  });

  it("goes to another node where that sees the very same pinned directory", () => {
    const roots = [{ path: "/srv", files: "pinned", identity: "one" }] as const;
    const beside = { ...node(1), profile: { labels: {}, agents: ["mock"], roots } };
    expect(placed([beside], OF_NODE_2)).toBeUndefined();
    expect(placed([beside], { ...OF_NODE_2, homeRoots: roots })).toBe(1);
    expect(placed([beside], { ...OF_NODE_2, homeRoots: [{ ...roots[0], identity: "two" }] })).toBeUndefined();
  });

  it("takes what the innermost root says", () => {
    const roots = [
      { path: "/srv", files: "shared" },
      { path: "/srv/project", files: "pinned" },
    ] as const;
    const nested = { ...node(1), profile: { labels: {}, agents: ["mock"], roots } };
    expect(fits(nested, OF_NODE_2)).toBe(false);
    expect(fits(nested, { ...OF_NODE_2, cwd: "/srv/other" })).toBe(true);
  });

  it("goes to nobody who cannot read it, or was tried in vain", () => {
    expect(placed([node(1, { readsFormat: 2 })])).toBeUndefined();
    expect(placed([node(1), node(2)], NEEDS, { except: new Set([1]) })).toBe(2);
  });
});

describe("whatever the nodes are", () => {
  const nodes = fc.uniqueArray(
    fc.record({
      id: fc.integer({ min: 1, max: 9 }),
      isDraining: fc.boolean(),
      readsFormat: fc.integer({ min: 2, max: 4 }),
      agents: fc.integer({ min: 0, max: 4 }),
      maxAgents: fc.constantFrom(0, 2, 4),
      files: fc.constantFrom<FilesOfRoot>("shared", "git", "pinned"),
      root: fc.constantFrom("/srv", "/srv/project", "/other"),
    }),
    { selector: ({ id }) => id, maxLength: 9 },
  );
  const needs = fc.constantFrom(NEEDS, OF_NODE_2);

  it("a node is chosen exactly if one fits, it fits, and a full one only if all are", () => {
    fc.assert(
      fc.property(nodes, needs, fc.double({ min: 0, max: 0.999, noNaN: true }), (given, need, random) => {
        const all = given.map(({ id, ...rest }) => node(id, rest));
        const chosen = placeSession(all, need, { self: 1, random: () => random });
        const able = all.filter((one) => !one.isDraining && fits(one, need));
        expect(chosen === undefined).toBe(able.length === 0);
        if (!chosen) return;
        expect(able).toContain(chosen);
        const isFull = ({ agents, maxAgents }: PlacementNode) => maxAgents > 0 && agents >= maxAgents;
        if (isFull(chosen)) expect(able.every(isFull)).toBe(true);
      }),
    );
  });
});
