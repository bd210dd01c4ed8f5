/** Dialogs: create, list, rename, delete, and which one is the current one. */
import type { SessionRow } from "../../../core/store.ts";
import type { DialectHandlers, DialectServices } from "../../dialect.ts";
import type { SmithyRoutes } from "../routes.ts";
import { type DialogsDirectory, dialogIdOf } from "./dialogs-directory.ts";

const PAGE_SESSIONS = 200;

type Order = { sort: "updated_at" | "created_at"; order: "asc" | "desc"; limit: number; offset: number };

type DialogHandlers = Pick<
  DialectHandlers<SmithyRoutes>,
  | "listSmithyDialogs"
  | "createSmithyDialog"
  | "getCurrentSmithyDialog"
  | "setCurrentSmithyDialog"
  | "getSmithyDialog"
  | "changeSmithyDialog"
  | "deleteSmithyDialog"
>;

export function dialogHandlers(
  { engine, store }: DialectServices,
  dialogs: DialogsDirectory,
): DialogHandlers {
  /** Last changed first, at most so many. */
  async function lastChanged(most: number): Promise<SessionRow[]> {
    const found: SessionRow[] = [];
    let cursor: string | undefined;
    do {
      const page = await store.listSessions({ archived: false, limit: PAGE_SESSIONS, cursor });
      found.push(...page.sessions);
      cursor = page.cursor;
    } while (cursor !== undefined && found.length < most);
    return found;
  }

  async function listed({ sort, order, limit, offset }: Order): Promise<SessionRow[]> {
    const isStoredOrder = sort === "updated_at" && order === "desc";
    const found = await lastChanged(isStoredOrder ? offset + limit : Number.POSITIVE_INFINITY);
    const time = ({ updatedAt, createdAt }: SessionRow) => (sort === "updated_at" ? updatedAt : createdAt);
    const sign = order === "desc" ? -1 : 1;
    if (!isStoredOrder) found.sort((one, other) => sign * (time(one) - time(other)));
    return found.slice(offset, offset + limit);
  }

  return {
    async listSmithyDialogs({ query }) {
      const current = await dialogs.current();
      const sessions = await listed(query);
      return {
        status: 200,
        body: {
          ...(current && { current_dialog_id: dialogIdOf(current) }),
          dialogs: sessions.map(toDialog),
        },
      };
    },

    async createSmithyDialog({ body }, { caller }) {
      const session = await dialogs.create(caller, { title: body.title ?? undefined });
      if (body.set_current) await dialogs.setCurrent(session.id);
      return { status: 200, body: { id: dialogIdOf(session) } };
    },

    async getCurrentSmithyDialog() {
      const current = await dialogs.current();
      return { status: 200, body: current ? { id: dialogIdOf(current), meta: toDialog(current) } : {} };
    },

    async setCurrentSmithyDialog({ query }) {
      const { id } = await dialogs.require(query.id);
      await dialogs.setCurrent(id);
      return { status: 200, body: { ok: true } };
    },

    async getSmithyDialog({ params }) {
      return { status: 200, body: toDialog(await dialogs.require(params.id)) };
    },

    async changeSmithyDialog({ params, body }, { caller }) {
      const { id } = await dialogs.require(params.id);
      await engine.run("updateSession", { session: id, title: body.title }, caller);
      return { status: 200, body: { ok: true } };
    },

    async deleteSmithyDialog({ params }, { caller }) {
      const { id } = await dialogs.require(params.id);
      await engine.run("deleteSession", { session: id }, caller);
      return { status: 200, body: { ok: true } };
    },
  };
}

function toDialog(session: SessionRow) {
  const { title, createdAt, updatedAt } = session;
  return {
    id: dialogIdOf(session),
    ...(title !== undefined && { title }),
    created_at: new Date(createdAt).toISOString(),
    updated_at: new Date(updatedAt).toISOString(),
  };
}
