/** The words of the wire, as types. */
import type { RouteAnswer, RouteRequest } from "./routes.ts";
import type { Schemas } from "./wire.generated.ts";

/** Something that happened in a session, numbered by `seq`. */
export type SessionEvent = Schemas["Event"];
/** An event with what the agent really said, where that was asked for and is not too large. */
export type EventWithRaw = SessionEvent & {
  /** With the agent's own id of the conversation. */
  readonly rawRecord?: Schemas["RawRecord"] & { readonly agentSessionId?: string };
};
export type EventOf<Type extends SessionEvent["type"]> = Extract<SessionEvent, { type: Type }>;
/** A message of the conversation, in our own language. */
export type Message = Schemas["Message"];
export type PromptPart = Schemas["PromptPart"];
/** A prompt that waits for its turn. */
export type QueuedPrompt = Schemas["QueuedPrompt"];
/** Something the agent does in the background, or did. */
export type Task = Schemas["Task"];
export type PromptReceipt = Schemas["PromptReceipt"];
/** A directory, and those in it that a session can work in. */
export type DirectoryList = Schemas["DirectoryList"];
export type SearchResult = Schemas["SearchResult"];
/** Files of a session's directory that a prompt can name. */
export type FileList = Schemas["FileList"];
/** A session as lists show it. */
export type SessionView = Schemas["Session"];
/** A session with what its agent told about itself. */
export type SessionDetails = Schemas["SessionDetails"];
/** What waits for a person. */
export type AskView = Schemas["Ask"];
export type CreateSession = Schemas["CreateSession"];
export type UpdateSession = Schemas["UpdateSession"];
export type AskReply = RouteRequest<"POST /v1/sessions/{id}/asks/{ask}/reply">["body"];
export type Agent = RouteAnswer<"GET /v1/agents/{agent}">;
export type FeedFrame = Schemas["FeedFrame"];
/** Who watches a session. */
export type Presence = Schemas["Presence"];
/** Whose token it is, and what it may do. */
export type Me = Schemas["Me"];
/** Who may use the daemon, besides its owner. */
export type Token = Schemas["Token"];
export type CreateToken = Schemas["CreateToken"];
/** A token with what is secret of it. */
export type CreatedToken = Schemas["CreatedToken"];
/** Who was invited to a session. */
export type Invitation = Schemas["Invitation"];
export type CreateInvitation = Schemas["CreateInvitation"];
/** An invitation with its code, and the link that has it. */
export type CreatedInvitation = Schemas["CreatedInvitation"];
/** What an invitation was exchanged for. */
export type RedeemedInvitation = Schemas["RedeemedInvitation"];
/** Somebody did something, or was refused. */
export type AuditEntry = Schemas["AuditEntry"];
/** A chunk of the AI SDK's UI message stream. Where its own type is wanted, it is that one. */
export interface UIMessageChunk {
  readonly type: string;
  readonly [field: string]: unknown;
}
/** The files of a session as they were at some time. */
export type Checkpoint = Schemas["CheckpointList"]["checkpoints"][number];
/** A file that turns changed. */
export type FileChange = Schemas["FileChange"];
/** An entry of the log with what it came from and what it became. */
export type Xray = Schemas["Xray"];
/** What went back. */
export type Restored = Schemas["Restored"];
/** How far the installation of an agent is. */
export type InstallationFrame = Schemas["InstallationFrame"];
/** A refusal of the daemon. */
export type Problem = Schemas["Problem"];
