/** Several chosen sessions. Pure. */

export interface Selection {
  chosen: ReadonlySet<string>;
  /** The one that was pressed last: a range begins there. */
  last?: string;
}

/** With `isRange` all from the last pressed one to this one, in the order of the list, get the state this one gets. */
export function toggleChosen(
  { chosen, last }: Selection,
  session: string,
  { order, isRange = false }: { order: readonly string[]; isRange?: boolean },
): Selection {
  const next = new Set(chosen);
  const isChosen = !chosen.has(session);
  for (const one of isRange && last !== undefined ? between(order, last, session) : [session]) {
    if (isChosen) next.add(one);
    else next.delete(one);
  }
  return { chosen: next, last: session };
}

function between(order: readonly string[], from: string, to: string): readonly string[] {
  const [a, b] = [order.indexOf(from), order.indexOf(to)];
  return a < 0 || b < 0 ? [to] : order.slice(Math.min(a, b), Math.max(a, b) + 1);
}
