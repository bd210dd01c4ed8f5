/** The address of a node, as statements of PostgreSQL give it. */
import type { NodeAddress } from "../core/ownership.ts";

/** The columns of `node n`. Its profile has the proof, so that an older version finds the table as it knows it. */
export const NODE_ADDRESS = "n.id, n.name, n.url, n.daemon, n.labels->>'proof' AS proof";

export interface AddressRow {
  /** Null where no node was joined. */
  id: number | null;
  name: string;
  url: string | null;
  daemon: string | null;
  proof: string | null;
}

export function toNodeAddress({ id, name, url, daemon, proof }: AddressRow): NodeAddress | undefined {
  if (id === null) return undefined;
  return {
    id,
    name,
    ...(url !== null && { url }),
    ...(daemon !== null && { daemon }),
    ...(proof !== null && { proof }),
  };
}
