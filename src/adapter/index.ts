/**
 * `interlingua/adapter`: what an adapter is made of, for agents from outside. The ports, the pieces that all built-in adapters share,
 * and the built-in adapters themselves. `interlingua/testkit` tests what is made of it.
 *
 * @module
 */

// The port to agents.

export type {
  AgentOutput,
  AgentSettings,
  BackendAdapter,
  BackendSession,
  Configurable,
  ConnectOptions,
  ConversationPlace,
  Encryptable,
  Forkable,
  Interruptible,
  PermissionHandler,
  PermissionRequestEvent,
  Reconnectable,
  Steerable,
} from "../core/adapter.ts";
export type { AskAnswer, AskEffect, AskKind, AskOption, AskQuestion } from "../core/ask.ts";
export { type ErrorCode, InterlinguaError } from "../core/error.ts";
export type { FoundProgram, ProgramPreset, Programs } from "../core/program.ts";

// What goes over the port, with schemas.

export {
  type AgentStatus,
  agentStatusSchema,
  type BackendCapabilities,
  capabilitiesSchema,
  PERMISSION_MODES,
  type PermissionMode,
} from "../core/capability.ts";
export { type Command, type CommandOf, commandSchema } from "../core/command.ts";
export type { Draft, DraftType } from "../core/draft.ts";
export type { OfferedSetting } from "../core/offered-settings.ts";
export { type PromptPart, promptPartSchema, promptText } from "../core/prompt-part.ts";
export {
  type ProcessRecord,
  processRecordSchema,
  type RawDraft,
  type RawRecord,
  rawRecordSchema,
} from "../core/raw-record.ts";
export type { Setting, SettingValue, SettingValues } from "../core/setting.ts";
export { typedDraft } from "../core/typed-draft.ts";

// How a module that the config names is made into an adapter.

export type { AdapterContext, AdapterModule } from "../agents/outside/adapter-module.ts";

// An agent of two pure halves and a launch.

export type { AgentProtocol } from "../agents/transport/agent-protocol.ts";
export { type SentPart, withContextAsText } from "../agents/transport/context-text.ts";
export {
  type AgentMeans,
  type AgentResources,
  type ChildOpening,
  type DefinedProtocol,
  defineProtocol,
  type OpenOptions,
  type ProtocolDefinition,
  type TurnOpening,
} from "../agents/transport/define-protocol.ts";
export { lineText, type ParsedLine, parseLine, unreadable } from "../agents/transport/line-text.ts";
export { type McpServers, readMcpServers } from "../agents/transport/mcp-servers.ts";
export { requireResumeId } from "../agents/transport/resume-id.ts";
export { translateRecord } from "../agents/transport/translate-record.ts";
export type {
  DecodeCommands,
  Encoder,
  OpeningStep,
  RecordInput,
  ShutdownStep,
  Translation,
  Translator,
} from "../agents/transport/translator.ts";
export { unifiedDiff } from "../core/unified-diff.ts";

// Transports: one process for each session, one for each turn, one for many sessions, one far away.

export {
  type Launch,
  type OpenChildSessionOptions,
  openChildSession,
} from "../agents/transport/open-child-session.ts";
export { type RemoteHostOptions, remoteHost } from "../agents/transport/remote/remote-host.ts";
export type { RemoteAddress } from "../agents/transport/remote/remote-link.ts";
export { readServerSentEvents } from "../agents/transport/server-sent-events.ts";
export {
  type Destination,
  type LineRouter,
  SharedLines,
} from "../agents/transport/shared-lines.ts";
export { type Lease, type Sharable, SharedPool } from "../agents/transport/shared-pool.ts";
export {
  type TurnEncoder,
  TurnProcessSession,
  type TurnProcessSessionOptions,
} from "../agents/transport/turn-process-session.ts";
export {
  type ExtendedSession,
  extendSession,
  type ForkConversation,
} from "../core/extend-session.ts";

// JSON-RPC over lines.

export {
  afterHeard,
  afterSent,
  EMPTY_LEDGER,
  isWaitingFor,
  METHOD_NOT_FOUND,
  type RpcError,
  type RpcId,
  type RpcLedger,
  type RpcMessage,
  type RpcParams,
  type RpcRequest,
  readMessage,
  unansweredIds,
  withoutAsked,
} from "../agents/transport/json-rpc.ts";
export { RpcCaller } from "../agents/transport/json-rpc-caller.ts";
export {
  errorLine,
  noteOf,
  notificationLine,
  type RpcCall,
  refusals,
  requestLines,
  resultLine,
  scopeOf,
} from "../agents/transport/json-rpc-lines.ts";

// Programs and processes.

export {
  findAgentProgram,
  type KnownVersions,
  probeProgram,
  readVersion,
  requireSupportedProgram,
  versionProblem,
} from "../agents/transport/agent-program.ts";
export { ProgramAnswers } from "../agents/transport/program-answers.ts";
export { runProgram } from "../agents/transport/run-program.ts";
export { createPrograms, type LocalProgramsOptions } from "../install/local-programs.ts";
export { type Line, LineSplitter } from "../process/line-splitter.ts";
export { createProcessHost, type LocalProcessHostOptions } from "../process/local-process-host.ts";
export type { AgentExit, AgentProcess, HostSpawnOptions, ProcessHost } from "../process/process-host.ts";

// The built-in adapters.

export type { CustomAgent } from "../agents/acp/custom-agent.ts";
export { AGENT_NAMES, type AgentContext, createAgents, PROTOCOLS } from "../agents/registry.ts";
