/** Who may use the daemon besides its owner, who was invited, and who did what. */
import type { Logger } from "pino";
import type { PeopleStore } from "../../core/people-store.ts";
import type { Engine } from "../../engine/engine.ts";
import { AuditLog } from "./audit-log.ts";
import { Invitations } from "./invitations.ts";
import { TokenBook } from "./token-book.ts";

export interface PeopleDependencies {
  store: PeopleStore;
  engine: Pick<Engine, "followAll">;
  /** The token of the daemon itself. */
  ownToken: string;
  logger: Logger;
  now?: () => number;
}

export interface People {
  readonly tokens: TokenBook;
  readonly invitations: Invitations;
  readonly audit: AuditLog;
  /** Writes what is still to be written down. Idempotent. */
  close(): Promise<void>;
}

export async function openPeople({
  store,
  engine,
  ownToken,
  logger,
  now,
}: PeopleDependencies): Promise<People> {
  const tokens = await TokenBook.open({ store, ownToken, logger, now });
  const audit = new AuditLog({ store, logger });
  // With a session its invitations are removed, and what they were exchanged for.
  const stopFollowing = engine.followAll((change) => {
    if ("deleted" in change)
      tokens.forget(
        ({ invitation, sessions }) => invitation !== undefined && sessions?.[0] === change.session,
      );
  });
  return {
    tokens,
    invitations: new Invitations({ store, tokens, now }),
    audit,
    async close() {
      stopFollowing();
      tokens.close();
      await audit.flush();
    },
  };
}
