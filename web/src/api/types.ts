/** What crosses the wire, as types of the SDK. */
import type { RouteAnswer } from "../../../src/sdk/routes.ts";

export type { AskOption, AskQuestion } from "../../../src/core/ask.ts";
export type { SessionStatus } from "../../../src/core/session-status.ts";
export type {
  Agent,
  AskReply,
  AskView as Ask,
  CreateSession,
  FeedFrame,
  FileChange,
  Presence,
  PromptPart,
  SessionDetails,
  SessionEvent,
  SessionView as Session,
  UpdateSession,
} from "../../../src/sdk/types.ts";

export type AlwaysAllowed = NonNullable<RouteAnswer<"GET /v1/sessions/{id}">["alwaysAllowed"]>[number];
export type Me = RouteAnswer<"GET /v1/me">;
export type Invitation = RouteAnswer<"GET /v1/sessions/{id}/invitations">["invitations"][number];
export type CreatedInvitation = RouteAnswer<"POST /v1/sessions/{id}/invitations">;
export type Token = RouteAnswer<"GET /v1/tokens">["tokens"][number];
export type CreatedToken = RouteAnswer<"POST /v1/tokens">;
export type Redeemed = RouteAnswer<"POST /v1/invitations/redeem">;
export type AgentList = RouteAnswer<"GET /v1/agents">;
export type Checkpoint = RouteAnswer<"GET /v1/sessions/{id}/checkpoints">["checkpoints"][number];
export type Xray = RouteAnswer<"GET /v1/sessions/{id}/xray">;
export type Restored = RouteAnswer<"POST /v1/sessions/{id}/restore">;
export type QueuedPrompt = RouteAnswer<"GET /v1/sessions/{id}/queue">["queue"][number];
export type UsageRow = RouteAnswer<"GET /v1/usage">["rows"][number];
export type DirectoryList = RouteAnswer<"GET /v1/directories">;
export type FoundFile = RouteAnswer<"GET /v1/sessions/{id}/files">["files"][number];
export type Task = RouteAnswer<"GET /v1/sessions/{id}/tasks">["tasks"][number];
export type Message = RouteAnswer<"GET /v1/sessions/{id}/messages">["messages"][number];
export type SearchResult = RouteAnswer<"GET /v1/search">["results"][number];
