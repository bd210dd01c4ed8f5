/** Under which name what is written in the card of an ask is kept. It is forgotten once the daemon has the answer. */
export function keptName(session: string, ask: string): string {
  return `ask ${session} ${ask}`;
}
