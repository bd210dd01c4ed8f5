/**
 * The model, for those who write an adapter, a dialect or a store, or read a log. No I/O. Everything here is public:
 * test/exports.test.ts lists the names and runs their examples.
 */

// Logs: the events, and the rules they keep.

export { checkLog, type LogProblem } from "./check-log.ts";
export {
  EVENT_FORMAT,
  type EventOf,
  type EventType,
  eventSchema,
  type SessionEvent,
  type TurnError,
  type TurnOutcome,
} from "./event.ts";

// Folds: from events to messages, and to the state of a session.

export { evolve } from "./evolve.ts";
export { foldMessages, MessageFold } from "./fold-messages.ts";
export type { MessageRecord } from "./message-record.ts";
export { emptyState, type SessionState } from "./session-state.ts";
export { type SessionStatus, sessionStatus } from "./session-status.ts";
export { addCost, addUsage, type TokenUsage } from "./usage.ts";

// What clients send: ids, prompts and answers.

export {
  type AskAnswer,
  type AskEffect,
  type AskKind,
  type AskOption,
  type AskOutcome,
  type AskQuestion,
  isRejection,
} from "./ask.ts";
export { messageIdSchema, sessionIdSchema } from "./identifier.ts";
export type { Principal } from "./principal.ts";
export { type ContextPart, type PromptPart, promptPartSchema, promptText } from "./prompt-part.ts";

// Errors: one class, one table.

export { ERROR_CODES, type ErrorCode, type ErrorExtras, InterlinguaError } from "./error.ts";

// The port to agents, for adapters.

export type {
  AgentOutput,
  AgentSettings,
  BackendAdapter,
  BackendSession,
  Configurable,
  ConnectOptions,
  Encryptable,
  Forkable,
  Interruptible,
  PermissionHandler,
  PermissionRequestEvent,
  Reconnectable,
  Steerable,
} from "./adapter.ts";
export type { AgentStatus, BackendCapabilities, PermissionMode } from "./capability.ts";
export type { Command, CommandOf } from "./command.ts";
export type { Draft, DraftType } from "./draft.ts";
export type { ProgramPreset } from "./program.ts";
export type { ProcessRecord, RawDraft, RawRecord } from "./raw-record.ts";
export type { Setting, SettingValue, SettingValues } from "./setting.ts";

// The port to storage, for stores.

export { type EncodedEvent, eventOf } from "./encoded-event.ts";
export type {
  AskQuery,
  AskRow,
  ClientKey,
  EventPage,
  IntegrityReport,
  ListQuery,
  MessageQuery,
  MessageRow,
  OpenAskRow,
  SessionAppend,
  SessionRow,
  Store,
  StoredState,
  StoreHealth,
  UsageIncrement,
  UsageQuery,
  UsageRow,
} from "./store.ts";
