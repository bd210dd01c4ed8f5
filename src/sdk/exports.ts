/** What `interlingua/sdk` gives everywhere, beside the client itself. */
export type { AgentService, AgentType, InvokeOptions } from "./agent-service.ts";
export type { AgentResult, AgentStream, AgentStreamEvent } from "./agent-stream.ts";
export type { FollowedChat } from "./chat-sync.ts";
export type { ChatTransport, ChatTransportOptions } from "./chat-transport.ts";
export { InterlinguaError } from "./error.ts";
export type { FollowOptions, StreamState } from "./follow.ts";
export type { ConnectOptions } from "./http.ts";
export type { Prompt, PromptInput, PromptOptions } from "./prompt.ts";
export type { RedeemOptions } from "./redeem.ts";
export type { Session } from "./session.ts";
export type { EventsOptions } from "./session-events.ts";
export type { Tokens } from "./tokens.ts";
export type * from "./types.ts";
