/** Finds dialogs: sessions by their ULIDs, as far as the mount may see them, and which of them is the current one. */
import { InterlinguaError } from "../../../core/error.ts";
import type { Principal } from "../../../core/principal.ts";
import { sessionUlid } from "../../../core/session-ulid.ts";
import type { SessionRow } from "../../../core/store.ts";
import type { DialectServices } from "../../dialect.ts";
import type { SmithyMount } from "../mount.ts";
import { DIALECT_NAME } from "../name.ts";

export type DialogsDirectory = ReturnType<typeof createDialogsDirectory>;

export function createDialogsDirectory(services: DialectServices, mount: SmithyMount) {
  const { engine, store, defaultAgent, resolveDirectory } = services;

  /** Where new dialogs work. */
  const workspace = () => resolveDirectory();

  async function findByKey(key: string): Promise<SessionRow | undefined> {
    const place = await store.findKey(DIALECT_NAME, key);
    return place && store.getSession(place.session);
  }

  const currentKey = async () => `current ${mount.prefix} ${await workspace()}`;

  return {
    /** Throws `session_not_found`, also for one that the mount may not see. */
    async require(dialog: string): Promise<SessionRow> {
      const session = await findByKey(dialog);
      if (session) return session;
      throw new InterlinguaError(
        "session_not_found",
        `There is no dialog "${dialog}". The list of dialogs has those there are.`,
      );
    },

    async current(): Promise<SessionRow | undefined> {
      return findByKey(await currentKey());
    },

    async setCurrent(session: string): Promise<void> {
      await store.moveKey(session, { dialect: DIALECT_NAME, key: await currentKey(), seq: 1 });
    },

    /** A new dialog begins with the model of the current one. */
    async create(
      by: Principal,
      { title, model }: { title?: string; model?: string } = {},
    ): Promise<SessionRow> {
      const agent = mount.agent ?? defaultAgent;
      const current = await findByKey(await currentKey());
      const inherited = current?.agent === agent ? current.model : undefined;
      const { session } = await engine.run(
        "createSession",
        {
          agent,
          cwd: await workspace(),
          ...(title && { title }),
          ...((model ?? inherited) !== undefined && { model: model ?? inherited }),
        },
        by,
      );
      return (await store.getSession(session.id))!;
    },
  };
}

export function dialogIdOf({ id, createdAt }: Pick<SessionRow, "id" | "createdAt">): string {
  return sessionUlid(id, createdAt);
}
