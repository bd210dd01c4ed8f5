/**
 * Two nodes on copies of one data directory have one id: each would take the other for its predecessor and declare it
 * dead, for ever. So whoever finds its id in use by a node it does not know looks whether that one beats.
 */
import { type FindBeatingNode, findBeatingNode } from "./find-beating-node.ts";
import { JoinRefusedError } from "./join-refused.ts";
import type { NodeBeat } from "./observed-beats.ts";

/** Throws a JoinRefusedError if another daemon lives under the id of this data directory. */
export async function assertSoleDaemon(
  table: { findNamesakes(): Promise<NodeBeat[]> },
  { data, ...options }: FindBeatingNode & { data: string },
): Promise<void> {
  const living = await findBeatingNode(() => table.findNamesakes(), options);
  if (living)
    throw new JoinRefusedError(
      `The data directory ${data} has the id of a node that works elsewhere (number ${living.id} of "interlingua nodes"): one ` +
        `of the two is a copy, and nodes need data directories of their own. If it is this one, delete ${data}/daemon-id, or ` +
        "give an empty directory with --data. If it is the other, stop that and delete daemon-id there.",
    );
}
