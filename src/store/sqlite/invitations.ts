/** Invitations as rows of the `invitation` table. */
import type { InvitationRow, TokenRow } from "../../core/people-store.ts";
import { assertChecksum, type Checksum, rowChecksum } from "../format/checksum.ts";
import {
  assertPeopleRow,
  INVITATION_COLUMNS,
  type StoredInvitation,
  toInvitationColumns,
  toInvitationRow,
} from "../format/people-records.ts";
import { type LeaveOut, readRows } from "../read-rows.ts";
import type { Connection } from "./connection.ts";
import { insertToken } from "./tokens.ts";

type CheckedInvitation = StoredInvitation & { checksum: Checksum };

const ALL = [...INVITATION_COLUMNS, "checksum"];
const SELECT = `SELECT ${ALL.join(", ")} FROM invitation`;
const WRITE = `INSERT INTO invitation (${ALL.join(", ")}) VALUES (${ALL.map(() => "?").join(", ")})
  ON CONFLICT (id) DO UPDATE SET
    used_at = excluded.used_at, token = excluded.token, checksum = excluded.checksum`;

/** Replaces what an invitation was used for. */
export function writeInvitation(connection: Connection, row: InvitationRow): void {
  const columns = toInvitationColumns(row);
  const values = INVITATION_COLUMNS.map((column) => columns[column]);
  connection.run(WRITE, ...values, rowChecksum(values));
}

/** Of one session or all, in the order they were added. */
export function readInvitations(
  connection: Connection,
  session: string | undefined,
  leaveOut: LeaveOut,
): InvitationRow[] {
  const rows =
    session === undefined
      ? connection.all<CheckedInvitation>(`${SELECT} ORDER BY number`)
      : connection.all<CheckedInvitation>(`${SELECT} WHERE session = ? ORDER BY number`, session);
  return readRows(rows, leaveOut, readStored, ({ id }) => id);
}

/** Throws when the row is not what was stored. */
export function readInvitation(connection: Connection, id: string): InvitationRow | undefined {
  const stored = connection.get<CheckedInvitation>(`${SELECT} WHERE id = ?`, id);
  return stored && readStored({ ...stored, id });
}

/** Reads, marks and adds in one transaction, so that an invitation gives one token. */
export function redeemInvitation(connection: Connection, id: string, token: TokenRow): boolean {
  return connection.transaction(() => {
    const invitation = readInvitation(connection, id);
    if (!invitation || invitation.usedAt !== undefined || invitation.expiresAt <= token.createdAt)
      return false;
    writeInvitation(connection, { ...invitation, usedAt: token.createdAt, token: token.id });
    insertToken(connection, token);
    return true;
  });
}

export function deleteInvitation(connection: Connection, id: string): boolean {
  return connection.transaction(() => {
    connection.run("DELETE FROM token WHERE invitation = ?", id);
    return connection.run("DELETE FROM invitation WHERE id = ?", id) > 0;
  });
}

/** Removes all that is for one session. Runs in the transaction that removes the session. */
export function deleteInvitationsOf(connection: Connection, session: string): void {
  connection.run(
    "DELETE FROM token WHERE invitation IN (SELECT id FROM invitation WHERE session = ?)",
    session,
  );
  connection.run("DELETE FROM invitation WHERE session = ?", session);
}

export function deleteExpired(connection: Connection, until: { tokens: number; invitations: number }): void {
  connection.transaction(() => {
    connection.run("DELETE FROM token WHERE expires_at <= ?", until.tokens);
    connection.run("DELETE FROM invitation WHERE expires_at <= ?", until.invitations);
  });
}

function readStored(stored: CheckedInvitation): InvitationRow {
  const what = `invitation "${stored.id}"`;
  assertPeopleRow(what, stored);
  assertChecksum(stored.checksum, what, () =>
    rowChecksum(INVITATION_COLUMNS.map((column) => stored[column])),
  );
  return toInvitationRow(stored);
}
