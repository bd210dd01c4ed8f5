/** Who may use the daemon besides its owner, who was invited, and who did what. */
import type { Logger } from "pino";
import type { PeerNews } from "../../core/peer-news.ts";
import type { PeopleStore } from "../../core/people-store.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Callers } from "../access/callers.ts";
import { AuditLog } from "./audit-log.ts";
import { Invitations } from "./invitations.ts";
import { SharedTokens } from "./shared-tokens.ts";
import { TokenBook } from "./token-book.ts";

export interface PeopleDependencies {
  store: PeopleStore;
  /** Of this daemon alone: what others delete is told by the tokens themselves. */
  engine: Pick<Engine, "followAll">;
  /** The token of the daemon itself. */
  ownToken: string;
  /** A token that is taken besides. */
  formerToken?: string;
  logger: Logger;
  /** Where other daemons share the store. */
  news?: PeerNews;
  now?: () => number;
}

export interface People {
  readonly tokens: TokenBook;
  /** Who holds which token. */
  readonly callers: Callers;
  readonly invitations: Invitations;
  readonly audit: AuditLog;
  /** Learns what other daemons have changed. Never rejects. */
  refreshTokens(): Promise<void>;
  /** Writes what is still to be written down. Idempotent. */
  close(): Promise<void>;
}

export async function openPeople({
  store,
  engine,
  ownToken,
  formerToken,
  logger,
  news,
  now,
}: PeopleDependencies): Promise<People> {
  const tokens = await TokenBook.open({ store, ownToken, formerToken, logger, now });
  const shared = news && shareTokens({ store, tokens, news, logger });
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
    callers: shared ?? tokens,
    async refreshTokens() {
      await shared?.refresh();
    },
    invitations: new Invitations({ store, tokens, now }),
    audit,
    async close() {
      stopFollowing();
      shared?.close();
      tokens.close();
      await audit.flush();
    },
  };
}

function shareTokens(parts: {
  store: PeopleStore;
  tokens: TokenBook;
  news: PeerNews;
  logger: Logger;
}): SharedTokens | undefined {
  const { store, tokens: book, news, logger } = parts;
  const tokensVersion = store.tokensVersion?.bind(store);
  if (!tokensVersion) return undefined;
  let isFailing = false;
  return new SharedTokens({
    ...{ book, news },
    store: {
      async tokensVersion() {
        const version = await tokensVersion();
        isFailing = false;
        return version;
      },
      listTokens: () => store.listTokens(),
    },
    onFault(error) {
      if (!isFailing) logger.warn({ err: error }, "whether tokens have changed could not be read");
      isFailing = true;
    },
  });
}
