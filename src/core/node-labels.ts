/** How nodes are called beside sessions: by name, and also by number where two nodes have one name. */

interface AtNode {
  readonly node?: string;
  readonly nodeNumber?: number;
}

/** The label of a session's node among these sessions. It gives undefined for a session that no node has. */
export function nodeLabels(sessions: Iterable<AtNode>): (session: AtNode) => string | undefined {
  const numbers = new Map<string, number | undefined>();
  const ambiguous = new Set<string>();
  for (const { node, nodeNumber } of sessions) {
    if (node === undefined) continue;
    if (!numbers.has(node)) numbers.set(node, nodeNumber);
    else if (numbers.get(node) !== nodeNumber) ambiguous.add(node);
  }
  return ({ node, nodeNumber }) =>
    node !== undefined && nodeNumber !== undefined && ambiguous.has(node) ? `${node} #${nodeNumber}` : node;
}
