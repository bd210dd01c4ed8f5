/** Which node a session goes to that nobody has, or that is new. Pure. */
import { isInside } from "../core/is-inside.ts";
import type { NodeAddress } from "../core/ownership.ts";
import type { NodeProfile, NodeRoot } from "./node-profile.ts";

/** A living node, as its row tells it. */
export interface PlacementNode extends NodeAddress {
  /** Of which daemon it is an incarnation. */
  readonly daemon: string;
  readonly isDraining: boolean;
  /** The newest format of events that it reads. */
  readonly readsFormat: number;
  /** Absent where it tells nothing; then it takes what no other can say more about. */
  readonly profile?: NodeProfile;
  readonly agents: number;
  /** 0 where it tells none. */
  readonly maxAgents: number;
}

export interface SessionNeeds {
  readonly agent: string;
  readonly cwd: string;
  /** Of the events that were written; 0 for a new session. */
  readonly format: number;
  readonly labels?: Readonly<Record<string, string>>;
  /** The daemon that had it last. Absent for a new session, and where nobody knows any more. */
  readonly lastDaemon?: string;
  /** The daemon that created it, which has its files if they are not shared; `lastDaemon` when absent. */
  readonly home?: string;
  /** What that node is called, dead or not. Absent where nobody knows any more. */
  readonly homeName?: string;
  /** The roots of that node, as it last told them. */
  readonly homeRoots?: readonly NodeRoot[];
  /** Its files travel with it, to nodes with a clone. */
  readonly isCaptured?: true;
}

export interface PlacementOptions {
  /** The number of the node that was called: it takes a new session if it has room. */
  self: number;
  /** Those that were tried in vain. */
  except?: ReadonlySet<number>;
  /** From 0 to 1, as Math.random. */
  random(): number;
}

/** Undefined where no living node can have it. */
export function placeSession(
  nodes: readonly PlacementNode[],
  needs: SessionNeeds,
  { self, except, random }: PlacementOptions,
): PlacementNode | undefined {
  const fitting = nodes.filter((node) => !except?.has(node.id) && !node.isDraining && fits(node, needs));
  const isPreferred = (node: PlacementNode) =>
    needs.lastDaemon === undefined ? node.id === self : node.daemon === needs.lastDaemon;
  const preferred = fitting.find((node) => isPreferred(node) && hasRoom(node));
  if (preferred) return preferred;
  // Where all are full the least loaded refuses it with a reason, or ends an idle agent for it.
  const roomy = fitting.filter(hasRoom);
  return lessLoaded(pickTwo(roomy.length > 0 ? roomy : fitting, random));
}

/** Whether a node could have it at all, full or not. */
export function fits(node: PlacementNode, needs: SessionNeeds): boolean {
  const { profile, readsFormat } = node;
  if (readsFormat < needs.format) return false;
  if (!profile) return true;
  if (!profile.agents.includes(needs.agent)) return false;
  if (Object.entries(needs.labels ?? {}).some(([name, value]) => profile.labels[name] !== value))
    return false;
  return hasFilesOf(node, needs);
}

/** Whether a node has the files of a session, or can lay them down; for a new one, whether it has a root around them. */
export function hasFilesOf({ profile, daemon }: PlacementNode, needs: SessionNeeds): boolean {
  if (!profile) return true;
  const home = homeOf(needs);
  // It may have a directory of its own for it, such as a worktree.
  if (home === daemon) return true;
  if (profile.roots.some((root) => isInside(needs.cwd, root.path) && isSeenAtHome(root, needs))) return true;
  const root = innermostRoot(profile.roots, needs.cwd);
  if (!root) return false;
  if (home === undefined || root.files === "shared") return true;
  return root.files === "git" && needs.isCaptured === true;
}

/** Whether a root is the very same directory at the session's home. */
function isSeenAtHome({ path, identity }: NodeRoot, { homeRoots = [] }: SessionNeeds): boolean {
  return identity !== undefined && homeRoots.some((root) => root.path === path && root.identity === identity);
}

/** The daemon that has the files of a session, if they are not shared. */
export function homeOf({ home, lastDaemon }: SessionNeeds): string | undefined {
  return home ?? lastDaemon;
}

/** Of roots inside each other the innermost one says how its files are kept. */
function innermostRoot(roots: readonly NodeRoot[], cwd: string): NodeRoot | undefined {
  return roots
    .filter(({ path }) => isInside(cwd, path))
    .reduce<NodeRoot | undefined>(
      (inner, root) => (inner && inner.path.length >= root.path.length ? inner : root),
      undefined,
    );
}

function hasRoom({ agents, maxAgents }: PlacementNode): boolean {
  return maxAgents === 0 || agents < maxAgents;
}

/** Two random ones are enough to spread the load, and not everybody chooses the same one at once. */
function pickTwo(nodes: readonly PlacementNode[], random: () => number): PlacementNode[] {
  if (nodes.length <= 2) return [...nodes];
  const first = Math.floor(random() * nodes.length);
  const second = (first + 1 + Math.floor(random() * (nodes.length - 1))) % nodes.length;
  return [nodes[first]!, nodes[second]!];
}

function lessLoaded(nodes: readonly PlacementNode[]): PlacementNode | undefined {
  const load = ({ agents, maxAgents }: PlacementNode) => (maxAgents === 0 ? 0 : agents / maxAgents);
  return nodes.toSorted((one, other) => load(one) - load(other))[0];
}
