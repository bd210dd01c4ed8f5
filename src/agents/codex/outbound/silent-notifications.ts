/** Notifications we know and have no use for: what they tell is told elsewhere, or concerns no conversation. */
export const SILENT: ReadonlySet<string> = new Set([
  // Told by turns and asks.
  "thread/started",
  "thread/status/changed",
  "thread/closed",
  "thread/reverted",
  "thread/compacted",
  "thread/readState/changed",
  // Told file by file.
  "turn/diff/updated",
  "turn/moderationMetadata",
  // The user's own housekeeping, in Codex.
  "thread/archived",
  "thread/unarchived",
  "thread/deleted",
  "thread/goal/cleared",
  "thread/queue/changed",
  "thread/attachment/updated",
  "thread/prediction/updated",
  "thread/project/updated",
  "project/changed",
  "skills/changed",
  "app/list/updated",
  "deprecationNotice",
  // The account, which all conversations share.
  "account/updated",
  "account/login/completed",
  "account/rateLimits/updated",
  "account/gatewayOAuth/changed",
  "remoteControl/status/changed",
  // What was asked for outside a thread.
  "command/exec/outputDelta",
  "process/outputDelta",
  "process/exited",
  "fs/changed",
  // A copy of what the model said, for debugging.
  "rawResponseItem/completed",
  "rawResponse/completed",
]);
