import { sessionNotFound } from "../../protocol/refusals.ts";
import type { Handlers } from "../mount.ts";
import type { HandlerDependencies } from "./index.ts";

type DirectoryHandlers = Pick<Handlers, "listDirectories" | "findFiles">;

export function directoryHandlers({ files, store }: HandlerDependencies): DirectoryHandlers {
  return {
    async listDirectories({ query }) {
      return { status: 200, body: await files.listDirectories(query) };
    },

    async findFiles({ params: { id: session }, query }) {
      const row = await store.getSession(session);
      if (!row) throw sessionNotFound(session);
      return { status: 200, body: await files.findFiles({ session, cwd: row.cwd, ...query }) };
    },
  };
}
