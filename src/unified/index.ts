/**
 * `interlingua/unified`: the UnifiedMessage protocol as a library, for consumers and for those who write or use
 * adapters of that shape. No daemon, no I/O; runs in browsers too.
 *
 * @module
 */

// Messages.

export {
  checkUnifiedMessage,
  UNIFIED_LIMITS,
  type UnifiedMessageProblem,
} from "./check-unified-message.ts";
export { createMessageChannel, type UnifiedMessageChannel } from "./create-message-channel.ts";
export { createUnifiedMessage, type NewUnifiedMessage } from "./create-unified-message.ts";
export { isUnifiedMessage } from "./is-unified-message.ts";
export {
  MESSAGE_ROLES,
  UNIFIED_MESSAGE_TYPES,
  UNIFIED_ROLES,
  type UnifiedContent,
  type UnifiedErrorCode,
  type UnifiedLifecycle,
  type UnifiedMessage,
  type UnifiedMessageType,
  type UnifiedRole,
} from "./unified-message.ts";

// The port to agents, as the guide has it.

export type {
  Configurable,
  Interruptible,
  PermissionHandler,
  PermissionRequestEvent,
} from "../core/adapter.ts";
export type {
  EncryptedMessage,
  SequencedMessage,
  UnifiedAdapter,
  UnifiedCapabilities,
  UnifiedConnectOptions,
  UnifiedEncryptable,
  UnifiedPassthrough,
  UnifiedReconnectable,
  UnifiedSession,
} from "./unified-adapter.ts";

// Translators, all pure: a log to messages, what consumers send to commands, and what adapters yield to drafts.

export {
  createUnifiedReader,
  type UnifiedReader,
  type UnifiedReaderOptions,
  type UnifiedReading,
} from "./create-unified-reader.ts";
export {
  createUnifiedTranslator,
  type UnifiedTranslator,
  type UnifiedTranslatorOptions,
} from "./create-unified-translator.ts";
export { EVENT_MESSAGES } from "./outbound/event-messages.ts";
export type { UnifiedUsage } from "./outbound/token-usage.ts";
export { readUnifiedRequest, type UnifiedReply, type UnifiedRequest } from "./read-unified-request.ts";
export { type RepliedAsk, toCommand } from "./to-command.ts";
export { callMessageId, conversationMessageId, unifiedId } from "./unified-id.ts";

// Bridges between the guide's port to agents and ours.

export { type FromUnifiedOptions, fromUnifiedAdapter } from "./from-unified-adapter.ts";
export { type ToUnifiedOptions, toUnifiedAdapter, type UnifiedAgentAdapter } from "./to-unified-adapter.ts";
export type { UnifiedAgentSession } from "./to-unified-session.ts";
