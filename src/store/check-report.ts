/** What the parts of the check share. */
import type { InvitationRow, TokenRow } from "../core/people-store.ts";
import type { IntegrityReport } from "../core/store.ts";

/** Takes one problem, as a sentence. */
export type Report = (problem: string) => void;

export interface CheckedSession {
  id: number;
  key: string;
  head: number;
  raw_head: number;
}

/** A damaged database can have millions of problems. Nobody reads more than this. */
const MAX_PROBLEMS = 200;

/** Runs a check of a whole database. `check` calls `count` with the head of each session. */
export async function collectReport(
  check: (report: Report, count: (head: number) => void) => Promise<void>,
): Promise<IntegrityReport> {
  const problems: string[] = [];
  let sessions = 0;
  let events = 0;
  const report: Report = (problem) => {
    if (problems.length < MAX_PROBLEMS) problems.push(problem);
  };
  const count = (head: number) => {
    sessions += 1;
    events += head;
  };
  await check(report, count).catch((error: unknown) => {
    report(`The database cannot be read: ${messageOf(error)}.`);
  });
  return { ok: problems.length === 0, sessions, events, problems };
}

export async function reportFailure(report: Report, check: () => unknown): Promise<void> {
  try {
    await check();
  } catch (error) {
    report(`${messageOf(error)}.`);
  }
}

/** A token and its invitation are written together, so an invitation that was used twice shows here. */
export function checkInvitations(
  tokens: readonly TokenRow[],
  invitations: readonly InvitationRow[],
  report: Report,
): void {
  const known = new Map(invitations.map((invitation) => [invitation.id, invitation]));
  for (const { id, invitation } of tokens)
    if (invitation !== undefined && known.get(invitation)?.token !== id)
      report(`Token "${id}" is of the invitation "${invitation}", which was not exchanged for it.`);
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
