/** Checkpoints of a dialog's files: what changed, the way back, and approval. */
import { InterlinguaError } from "../../../core/error.ts";
import type { Principal } from "../../../core/principal.ts";
import type { FileDifference } from "../../../core/workspace.ts";
import type { Engine } from "../../../engine/engine.ts";
import type { RestoreAnswer } from "../../../protocol/commands/command-types.ts";
import type { CommandAnswer } from "../../../protocol/commands/index.ts";
import type { DialectHandlers, DialectServices } from "../../dialect.ts";
import { listed } from "../config-view.ts";
import type { SmithyRoutes } from "../routes.ts";
import { type DialogsDirectory, dialogIdOf } from "./dialogs-directory.ts";

type Checkpoints = CommandAnswer<"listCheckpoints">["checkpoints"];

type WorkspaceHandlers = Pick<
  DialectHandlers<SmithyRoutes>,
  | "listSmithyCheckpoints"
  | "getSmithySession"
  | "restoreSmithyCheckpoint"
  | "approveSmithySession"
  | "resetSmithySession"
>;

/** What stands in place of AgentSmithy's commit messages. */
const MESSAGES: Readonly<Record<Checkpoints[number]["kind"], string>> = {
  created: "Initial checkpoint",
  before: "Before user message",
  after: "After the agent's turn",
  restore: "Before restore",
  approved: "Approved",
};

export function workspaceHandlers({ engine }: DialectServices, dialogs: DialogsDirectory): WorkspaceHandlers {
  return {
    async listSmithyCheckpoints({ params }, { caller }) {
      const session = await dialogs.require(params.id);
      const { checkpoints } = await engine.run("listCheckpoints", { session: session.id }, caller);
      const first = checkpoints[0]?.id;
      return {
        status: 200,
        body: {
          dialog_id: dialogIdOf(session),
          checkpoints: checkpoints.map((each) => ({ commit_id: each.id, message: messageOf(each) })),
          ...(first !== undefined && { initial_checkpoint: first }),
        },
      };
    },

    async getSmithySession({ params }, { caller }) {
      const { id } = await dialogs.require(params.id);
      const { checkpoints } = await engine.run("listCheckpoints", { session: id }, caller);
      const changes = await pendingChanges(engine, id, caller);
      const approved = approvals(checkpoints).at(-1);
      const name = sessionName(checkpoints);
      return {
        status: 200,
        body: {
          ...(changes.length > 0 && { active_session: name, session_ref: `refs/heads/${name}` }),
          has_unapproved: changes.length > 0,
          ...(approved && { last_approved_at: new Date(approved.at).toISOString() }),
          changed_files: changes.map(toChangedFile),
        },
      };
    },

    async restoreSmithyCheckpoint({ params, body }, { caller }) {
      const { id } = await dialogs.require(params.id);
      const checkpoint = body.checkpoint_id;
      const answer = await engine.run("restore", { session: id, checkpoint, onConflict: "keep" }, caller);
      return {
        status: 200,
        body: {
          restored_to: checkpoint,
          new_checkpoint: answer.checkpoint ?? checkpoint,
          ...keptDetail(answer),
        },
      };
    },

    async approveSmithySession({ params }, { caller }) {
      const { id } = await dialogs.require(params.id);
      const { checkpoints: before } = await engine.run("listCheckpoints", { session: id }, caller);
      const { checkpoint } = await engine.run("approve", { session: id }, caller);
      const { checkpoints: after } = await engine.run("listCheckpoints", { session: id }, caller);
      const lastApproval = before.findLastIndex(({ kind }) => kind === "approved");
      return {
        status: 200,
        body: {
          approved_commit: checkpoint,
          new_session: sessionName(after),
          commits_approved: before.slice(lastApproval + 1).filter((each) => !isOfRestore(each)).length,
        },
      };
    },

    async resetSmithySession({ params }, { caller }) {
      const { id } = await dialogs.require(params.id);
      const answer = await engine.run("reset", { session: id, onConflict: "keep" }, caller);
      const { checkpoints } = await engine.run("listCheckpoints", { session: id }, caller);
      const target = approvals(checkpoints).at(-1) ?? checkpoints[0];
      return {
        status: 200,
        body: {
          reset_to: target?.id ?? "",
          new_session: sessionName(checkpoints),
          ...(answer.checkpoint !== undefined && { pre_reset_checkpoint: answer.checkpoint }),
          ...keptDetail(answer),
        },
      };
    },
  };
}

function messageOf(checkpoint: Checkpoints[number]): string {
  return checkpoint.kind === "after" && isOfRestore(checkpoint) ? "After restore" : MESSAGES[checkpoint.kind];
}

/** Whether it was taken right before a restore, or right after one. */
function isOfRestore({ kind, turn }: Checkpoints[number]): boolean {
  return kind === "restore" || (kind === "after" && turn === undefined);
}

async function pendingChanges(engine: Engine, session: string, caller: Principal): Promise<FileDifference[]> {
  try {
    const input = { session, include: ["base"] } as const;
    return (await engine.run("listChanges", input, caller)).changes;
  } catch (error) {
    // Where there are no checkpoints nothing can be pending.
    if (InterlinguaError.isInstance(error) && error.code === "checkpoints_off") return [];
    throw error;
  }
}

function approvals(checkpoints: Checkpoints): Checkpoints {
  return checkpoints.filter(({ kind }) => kind === "approved");
}

/** What is pending is a session of AgentSmithy's; each approval begins the next one. */
function sessionName(checkpoints: Checkpoints): string {
  return `session_${approvals(checkpoints).length + 1}`;
}

function toChangedFile({ path, status, additions, deletions, diff, base, binary, tooLarge }: FileDifference) {
  return {
    path,
    status,
    additions,
    deletions,
    ...(diff !== undefined && { diff }),
    ...(base !== undefined && status !== "added" && { base_content: base }),
    is_binary: binary ?? false,
    is_too_large: tooLarge ?? false,
  };
}

/** Files that somebody else changed stay as they are: the client is told beside what it knows. */
function keptDetail({ kept = [] }: RestoreAnswer): { detail?: string } {
  if (kept.length === 0) return {};
  const names = listed(kept);
  return {
    detail:
      kept.length === 1
        ? `1 file stays as it is, because somebody else has changed it since: ${names}.`
        : `${kept.length} files stay as they are, because somebody else has changed them since: ${names}.`,
  };
}
