import type { workspaceCommands } from "../../protocol/commands/workspace.ts";
import type { Implementations } from "./command-parts.ts";

export const workspace: Implementations<keyof typeof workspaceCommands> = {
  async listCheckpoints({ history }, { session }) {
    return { checkpoints: await history.checkpoints(session) };
  },

  async listChanges({ history }, { session, turn, since, include }) {
    const withBase = include?.includes("base") ?? false;
    return { changes: await history.changes(session, { turn, since, withBase }) };
  },

  async restore({ assertReady, restores }, { session, ...request }, caller) {
    assertReady();
    return restores.restore(session, request, caller.name);
  },

  async approve({ assertReady, restores }, { session }, caller) {
    assertReady();
    return restores.approve(session, caller.name);
  },

  async reset({ assertReady, restores }, { session, ...request }, caller) {
    assertReady();
    return restores.reset(session, request, caller.name);
  },

  async listWorkspaces({ services }) {
    return (await services.workspace?.usage()) ?? [];
  },

  async collectGarbage({ assertOpen, garbage }) {
    assertOpen();
    return (await garbage?.run()) ?? { dropped: 0, failed: [] };
  },
};
