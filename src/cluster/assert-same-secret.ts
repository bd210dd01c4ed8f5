/**
 * Nodes with different secrets refuse each other's calls, so that sessions of one could not be reached at another. Each has
 * signed its address in the table of nodes, which shows a newcomer whether they have the same.
 */
import type { NodeAddress } from "../core/ownership.ts";
import { type FindBeatingNode, findBeatingNode } from "./find-beating-node.ts";
import { JoinRefusedError } from "./join-refused.ts";
import type { NodeBeat } from "./observed-beats.ts";

export type OtherNode = NodeAddress & NodeBeat;

/** Nodes of other data directories that are not declared dead. */
interface OtherNodes {
  readOthers(): Promise<OtherNode[]>;
}

/** Whether a node with our secret has told this address. */
export type HasOurSecret = (node: NodeAddress) => boolean;

/**
 * For one that wants to join. Throws a JoinRefusedError where a living node has another secret. Returns the numbers of those
 * that have one and do not live any more.
 */
export async function assertSameSecret(
  table: OtherNodes,
  { hasOurSecret, ...options }: FindBeatingNode & { hasOurSecret: HasOurSecret },
): Promise<ReadonlySet<number>> {
  const dead = new Set<number>();
  const readStrangers = async () => {
    const strangers = (await table.readOthers()).filter((node) => !hasOurSecret(node));
    for (const { id } of strangers) dead.add(id);
    return strangers;
  };
  const living = await findBeatingNode(readStrangers, options);
  if (living) throw anotherSecret(living);
  return dead;
}

/** For one that has joined: of two that did so at the same time the later one is refused. */
export async function assertSameSecretSince(
  table: OtherNodes,
  {
    hasOurSecret,
    node,
    dead,
  }: { hasOurSecret: HasOurSecret; node: number; dead: Awaited<ReturnType<typeof assertSameSecret>> },
): Promise<void> {
  const earlier = (await table.readOthers()).find(
    (other) => other.id < node && !dead.has(other.id) && !hasOurSecret(other),
  );
  if (earlier) throw anotherSecret(earlier);
}

function anotherSecret({ name, id }: NodeAddress): JoinRefusedError {
  return new JoinRefusedError(
    `The node "${name}" (number ${id}) works with this database and has another cluster secret. Give this one the same in ` +
      "INTERLINGUA_CLUSTER_SECRET; to change it, stop all nodes and start them with the new one.",
  );
}
