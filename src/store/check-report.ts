/** What the parts of the check share. */

/** Takes one problem, as a sentence. */
export type Report = (problem: string) => void;

export interface CheckedSession {
  id: number;
  key: string;
  head: number;
  raw_head: number;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
