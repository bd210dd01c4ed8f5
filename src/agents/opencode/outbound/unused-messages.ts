/** Events of OpenCode we know and have no use for, and why. */
import type { OpenCodeMessageName } from "../../schemas/message-names.ts";
import { unusedMessages } from "../../transport/unused-messages.ts";

/** Sent by the server and missing in its own document. */
type Undocumented = "server.heartbeat";

export const UNUSED_MESSAGES = unusedMessages<OpenCodeMessageName | Undocumented>({
  "The server's own housekeeping": [
    "catalog.updated",
    "file.watcher.updated",
    "global.disposed",
    "installation.update-available",
    "installation.updated",
    "integration.connection.updated",
    "integration.updated",
    "lsp.updated",
    "mcp.tools.changed",
    "models-dev.refreshed",
    "plugin.added",
    "project.directories.updated",
    "project.updated",
    "reference.updated",
    "server.heartbeat",
    "server.instance.disposed",
    "vcs.branch.updated",
  ],
  "Parts of messages tell it": ["command.executed", "file.edited", "session.diff"],
  "Answers to our own requests tell it": [
    "message.part.removed",
    "message.removed",
    "session.created",
    "session.deleted",
  ],
  "It is about terminals that only its own page opens": [
    "pty.created",
    "pty.updated",
    "pty.exited",
    "pty.deleted",
  ],
  "It is meant for its own terminal page": [
    "tui.prompt.append",
    "tui.command.execute",
    "tui.toast.show",
    "tui.session.select",
  ],
  "Sessions are given their directory; none of ours is in a workspace or worktree of the server's": [
    "workspace.ready",
    "workspace.failed",
    "workspace.status",
    "worktree.ready",
    "worktree.failed",
  ],
});
