/**
 * Every command there is. Adding one is a file in commands/ and an entry here. A command is loaded when it is called, so
 * that none costs the others anything.
 */
import type { CliCommand, CommandBody } from "./command.ts";

export interface CommandEntry extends Pick<CliCommand, "name" | "summary"> {
  /** Another name of a command that takes no arguments, where its name is also the first word of others. */
  readonly alias?: string;
  load(): Promise<CommandBody>;
}

export const COMMANDS: readonly CommandEntry[] = [
  {
    name: "serve",
    summary: "Run the daemon and print the link to it",
    load: async () => (await import("./commands/serve.ts")).serve,
  },
  {
    name: "stop",
    summary: "End the daemon",
    load: async () => (await import("./commands/stop.ts")).stop,
  },
  {
    name: "open",
    summary: "Open the page in the browser",
    load: async () => (await import("./commands/open.ts")).open,
  },
  {
    name: "run",
    summary: "Give an agent a prompt and print what it does",
    load: async () => (await import("./commands/run.ts")).run,
  },
  {
    name: "chat",
    summary: "Talk with an agent, prompt after prompt",
    load: async () => (await import("./commands/chat.ts")).chat,
  },
  {
    name: "join",
    summary: "Join a session from this terminal, beside everybody else",
    load: async () => (await import("./commands/join.ts")).join,
  },
  {
    name: "sessions",
    alias: "sessions list",
    summary: "List sessions, those changed last first",
    load: async () => (await import("./commands/sessions.ts")).sessions,
  },
  {
    name: "sessions show",
    summary: "Print what is known of one session",
    load: async () => (await import("./commands/sessions-show.ts")).sessionsShow,
  },
  {
    name: "sessions rename",
    summary: "Give a session another title",
    load: async () => (await import("./commands/sessions-change.ts")).sessionsRename,
  },
  {
    name: "sessions pin",
    summary: "Keep a session on top of lists",
    load: async () => (await import("./commands/sessions-change.ts")).sessionsPin,
  },
  {
    name: "sessions unpin",
    summary: "Keep it on top no longer",
    load: async () => (await import("./commands/sessions-change.ts")).sessionsUnpin,
  },
  {
    name: "sessions archive",
    summary: "Leave a session out of lists",
    load: async () => (await import("./commands/sessions-change.ts")).sessionsArchive,
  },
  {
    name: "sessions unarchive",
    summary: "Put a session back into lists",
    load: async () => (await import("./commands/sessions-change.ts")).sessionsUnarchive,
  },
  {
    name: "sessions interrupt",
    summary: "Stop the running turn of a session",
    load: async () => (await import("./commands/sessions-change.ts")).sessionsInterrupt,
  },
  {
    name: "sessions close",
    summary: "Close a session and keep its log",
    load: async () => (await import("./commands/sessions-change.ts")).sessionsClose,
  },
  {
    name: "sessions delete",
    summary: "Remove a session and everything stored of it",
    load: async () => (await import("./commands/sessions-delete.ts")).sessionsDelete,
  },
  {
    name: "queue",
    summary: "List the prompts of a session that wait",
    load: async () => (await import("./commands/queue.ts")).queue,
  },
  {
    name: "queue edit",
    summary: "Change what a waiting prompt says",
    load: async () => (await import("./commands/queue.ts")).queueEdit,
  },
  {
    name: "queue move",
    summary: "Change the order of waiting prompts",
    load: async () => (await import("./commands/queue.ts")).queueMove,
  },
  {
    name: "queue send",
    summary: "Send a waiting prompt now",
    load: async () => (await import("./commands/queue.ts")).queueSend,
  },
  {
    name: "queue release",
    summary: "Let prompts run that were held",
    load: async () => (await import("./commands/queue.ts")).queueRelease,
  },
  {
    name: "queue remove",
    summary: "Take a waiting prompt back",
    load: async () => (await import("./commands/queue.ts")).queueRemove,
  },
  {
    name: "directories",
    summary: "List the directories that sessions can work in",
    load: async () => (await import("./commands/directories.ts")).directories,
  },
  {
    name: "files",
    summary: "Find files of a session's directory by a few letters",
    load: async () => (await import("./commands/files.ts")).files,
  },
  {
    name: "tasks",
    summary: "List what the agent of a session does in the background",
    load: async () => (await import("./commands/tasks.ts")).tasks,
  },
  {
    name: "tasks stop",
    summary: "End a task in the background",
    load: async () => (await import("./commands/tasks.ts")).tasksStop,
  },
  {
    name: "checkpoints",
    summary: "List the checkpoints of a session's files",
    load: async () => (await import("./commands/checkpoints.ts")).checkpoints,
  },
  {
    name: "changes",
    summary: "List the files that turns of a session changed",
    load: async () => (await import("./commands/changes.ts")).changes,
  },
  {
    name: "diff",
    summary: "Print what turns of a session changed",
    load: async () => (await import("./commands/changes.ts")).diff,
  },
  {
    name: "restore",
    summary: "Undo what turns of a session changed since a checkpoint",
    load: async () => (await import("./commands/restore.ts")).restore,
  },
  {
    name: "approve",
    summary: "Accept what turns of a session changed",
    load: async () => (await import("./commands/approve.ts")).approve,
  },
  {
    name: "reset",
    summary: "Undo what turns of a session changed since the last approval",
    load: async () => (await import("./commands/restore.ts")).reset,
  },
  {
    name: "workspace size",
    summary: "Say what checkpoints take on the disk",
    load: async () => (await import("./commands/workspace.ts")).workspaceSize,
  },
  {
    name: "workspace gc",
    summary: "Drop checkpoints that are too old or too many",
    load: async () => (await import("./commands/workspace.ts")).workspaceGc,
  },
  {
    name: "tail",
    summary: "Print the events of a session, one JSON object per line, and follow it",
    load: async () => (await import("./commands/tail.ts")).tail,
  },
  {
    name: "asks",
    alias: "asks list",
    summary: "List what waits for an answer, the oldest first",
    load: async () => (await import("./commands/asks.ts")).asks,
  },
  {
    name: "asks reply",
    summary: "Answer one of them",
    load: async () => (await import("./commands/asks.ts")).asksReply,
  },
  {
    name: "agents",
    alias: "agents list",
    summary: "List agents, whether they are installed and signed in",
    load: async () => (await import("./commands/agents.ts")).agents,
  },
  {
    name: "agents install",
    summary: "Install an agent's program into the data directory",
    load: async () => (await import("./commands/agents-install.ts")).agentsInstall,
  },
  {
    name: "search",
    summary: "Find messages by their words",
    load: async () => (await import("./commands/search.ts")).search,
  },
  {
    name: "usage",
    summary: "Add up tokens, cost and time",
    load: async () => (await import("./commands/usage.ts")).usage,
  },
  {
    name: "nodes",
    summary: "List the daemons that share the sessions",
    load: async () => (await import("./commands/nodes.ts")).nodes,
  },
  {
    name: "token create",
    summary: "Make a token with a role for somebody else",
    load: async () => (await import("./commands/token.ts")).tokenCreate,
  },
  {
    name: "token list",
    summary: "List the tokens there are",
    load: async () => (await import("./commands/token.ts")).tokenList,
  },
  {
    name: "token revoke",
    summary: "End a token and what was opened with it",
    load: async () => (await import("./commands/token.ts")).tokenRevoke,
  },
  {
    name: "invite",
    summary: "Invite somebody to a session by a link",
    load: async () => (await import("./commands/invite.ts")).invite,
  },
  {
    name: "audit",
    summary: "List who did what",
    load: async () => (await import("./commands/audit.ts")).audit,
  },
  {
    name: "notify test",
    summary: "Send a test to everybody who is to be notified",
    load: async () => (await import("./commands/notify-test.ts")).notifyTest,
  },
  {
    name: "replay",
    summary: "Translate a recording, or what a session's agent said, again",
    load: async () => (await import("./commands/replay.ts")).replay,
  },
  {
    name: "xray",
    summary: "Print what an entry of the log came from, and what it became",
    load: async () => (await import("./commands/xray.ts")).xray,
  },
  {
    name: "export",
    summary: "Write a session to stdout or to a file",
    load: async () => (await import("./commands/export.ts")).exportSession,
  },
  {
    name: "fork",
    summary: "Make a new session that begins with a copy of a conversation",
    load: async () => (await import("./commands/fork.ts")).fork,
  },
  {
    name: "doctor",
    summary: "Look for what keeps Interlingua from working",
    load: async () => (await import("./commands/doctor.ts")).doctor,
  },
  {
    name: "db check",
    summary: "Read everything stored once and say whether it is whole",
    load: async () => (await import("./commands/db.ts")).databaseCheck,
  },
  {
    name: "db copy",
    summary: "Copy all sessions from a data directory into a PostgreSQL database, or back",
    load: async () => (await import("./commands/db-copy.ts")).databaseCopy,
  },
  {
    name: "backup",
    summary: "Copy all sessions and checkpoints, also while a daemon runs",
    load: async () => (await import("./commands/backup.ts")).backup,
  },
  {
    name: "backup restore",
    summary: "Put a backup in the place of what is stored",
    load: async () => (await import("./commands/backup-restore.ts")).backupRestore,
  },
  {
    name: "completion",
    summary: "Print a script that completes these commands in your shell",
    load: async () => (await import("./commands/completion.ts")).completion,
  },
];

export async function loadCommand({ name, summary, load }: CommandEntry): Promise<CliCommand> {
  return { ...(await load()), name, summary };
}

/** For what needs to know the flags of all of them. */
export function loadCommands(): Promise<CliCommand[]> {
  return Promise.all(COMMANDS.map(loadCommand));
}
