/** Names the draft text of an ask's card. `forgetKept` drops it once the daemon has the answer. */
export function keptName(session: string, ask: string): string {
  return `ask ${session} ${ask}`;
}
