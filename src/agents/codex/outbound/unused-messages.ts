/** Messages of Codex we know and have no use for, and why. */
import type { CodexMessageName } from "../../schemas/message-names.ts";
import { unusedMessages } from "../../transport/unused-messages.ts";

/** Sent by Codex and missing in its own schema. */
type Undocumented = "rawResponseItem/completed" | "rawResponse/completed";

export const UNUSED_MESSAGES = unusedMessages<CodexMessageName | Undocumented>({
  "Turns and asks tell it": [
    "thread/started",
    "thread/status/changed",
    "thread/closed",
    "thread/compacted",
    "thread/readState/changed",
  ],
  "It is told file by file": ["turn/diff/updated"],
  "It is for the operator of the model": ["turn/moderationMetadata"],
  "The user's own housekeeping in Codex": [
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
  ],
  "All conversations share the account": [
    "account/updated",
    "account/login/completed",
    "account/rateLimits/updated",
    "account/gatewayOAuth/changed",
    "remoteControl/status/changed",
  ],
  "It is asked for outside a thread": [
    "command/exec/outputDelta",
    "process/outputDelta",
    "process/exited",
    "fs/changed",
    "fuzzyFileSearch/sessionUpdated",
    "fuzzyFileSearch/sessionCompleted",
    "externalAgentConfig/import/progress",
    "externalAgentConfig/import/completed",
    "mcpServer/event/stream/notification",
    "mcpServer/oauthLogin/completed",
    "thread/environment/connected",
    "thread/environment/disconnected",
  ],
  "Its end is told": [
    "hook/started",
    "item/autoApprovalReview/started",
    "autoApprovalReview/strictReviewRequired",
    "modelProvider/authRecoveryStarted",
    "modelProvider/authRecoveryCompleted",
    "model/verification",
    "model/safetyBuffering/updated",
  ],
  "A copy of what the model said, for debugging": ["rawResponseItem/completed", "rawResponse/completed"],
  "Spoken conversations begin only when a client asks for one, and none of ours does": [
    "thread/realtime/started",
    "thread/realtime/itemAdded",
    "thread/realtime/item/started",
    "thread/realtime/item/transcript/delta",
    "thread/realtime/item/completed",
    "thread/realtime/transcript/delta",
    "thread/realtime/transcript/done",
    "thread/realtime/outputAudio/delta",
    "thread/realtime/sdp",
    "thread/realtime/error",
    "thread/realtime/closed",
  ],
  "It is about the sandbox of Windows": ["windows/worldWritableWarning", "windowsSandbox/setupCompleted"],
});

/** Requests that no person can answer: they are refused, so that Codex never waits for nothing. */
export const REFUSED_REQUESTS = unusedMessages<CodexMessageName>({
  "Of an older protocol, which Codex speaks only with clients that do": [
    "applyPatchApproval",
    "execCommandApproval",
  ],
  "Only clients that brought tools or a sign-in of their own are asked": [
    "account/chatgptAuthTokens/refresh",
    "attestation/generate",
    "item/tool/call",
  ],
  "Only clients with a clock of their own are asked": ["currentTime/read"],
});
