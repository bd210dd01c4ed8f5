/** Checks tokens, invitations and the audit log. */
import { setImmediate } from "node:timers/promises";
import { checkInvitations, messageOf, type Report } from "../check-report.ts";
import { readAudit } from "./audit.ts";
import type { Connection } from "./connection.ts";
import { readInvitations } from "./invitations.ts";
import { readTokens } from "./tokens.ts";

/** How many entries of the audit log are read at once. */
const ENTRIES = 1000;

export async function checkPeople(connection: Connection, report: Report): Promise<void> {
  const leaveOut = (error: unknown) => report(`${capitalized(messageOf(error))}.`);
  const { tokens, invitations } = connection.snapshot(() => ({
    tokens: readTokens(connection, leaveOut),
    invitations: readInvitations(connection, undefined, leaveOut),
  }));
  checkInvitations(tokens, invitations, report);
  let before: number | undefined;
  do {
    await setImmediate();
    before = readAudit(connection, { limit: ENTRIES, before }, leaveOut).before;
  } while (before !== undefined);
}

function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
