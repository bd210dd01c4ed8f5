/** The ids of control requests: ours are numbers with a letter before them, Claude Code's are UUIDs. */

export function ownRequestId(count: number): string {
  return `r${count}`;
}

export function isOwnRequestId(id: string): boolean {
  return /^r\d+$/.test(id);
}
