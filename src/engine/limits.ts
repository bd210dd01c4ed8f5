/** The engine's settings, with defaults that never trip a single local client working normally. */
import { DEFAULT_START_TIMEOUT_MS } from "../core/start-timeout.ts";
import { MAX_TOOL_OUTPUT_BYTES } from "../core/truncate-output.ts";

export interface EngineLimits {
  /** Detach an agent after this long without a turn, task or waiting prompt. 0 = never. */
  idleDetachMs: number;
  /** Decline an ask nobody answered for this long. 0 = wait for ever. */
  askTimeoutMs: number;
  /** How long an agent may take to start, from its process to the end of its handshake. */
  connectTimeoutMs: number;
  /** How long an agent may take to stop when told to; then its process is ended. */
  stopGraceMs: number;
  /** How long an agent may take to answer a change of its settings. */
  settingsTimeoutMs: number;
  /** Add a notice when a running turn has been silent for this long. 0 = never. */
  turnQuietMs: number;
  /** Stop a turn that has been silent for this long. 0 = never. */
  turnQuietStopMs: number;
  /** An agent that works by itself and has been silent for this long does not hold up a waiting prompt. */
  agentTurnQuietMs: number;
  /** Longer tool outputs are cut in the event; the raw record keeps all of it. */
  maxToolOutputBytes: number;
  /** How many prompts of one session may wait, those folded into its turn included. */
  maxQueuedPrompts: number;
  /** The total size of one session's waiting prompts, in characters. */
  maxQueuedBytes: number;
  /** Over all sessions. */
  maxQueuedBytesInAll: number;
  /** How many agents may be attached at once. */
  maxLiveAgents: number;
  /** How much may wait for a commit before agents are no longer read. */
  maxPendingBytes: number;
  /** How long a prompt, and the end of a turn, waits for a checkpoint of the files. */
  checkpointTimeoutMs: number;
  /** How often checkpoints that are too old or too many are looked for. 0 = never. */
  checkpointUpkeepMs: number;
  /** How much of a log a fork copies. All of it is in memory until it is committed. In characters of JSON. */
  maxForkBytes: number;
  /** How long a session without an agent and without work stays in memory. */
  unloadMs: number;
  /** How long turns may go on when a node is told to go. */
  drainMs: number;
}

export const DEFAULT_ENGINE_LIMITS: EngineLimits = {
  idleDetachMs: 10 * 60_000,
  askTimeoutMs: 0,
  connectTimeoutMs: DEFAULT_START_TIMEOUT_MS,
  stopGraceMs: 10_000,
  settingsTimeoutMs: 10_000,
  turnQuietMs: 5 * 60_000,
  turnQuietStopMs: 0,
  agentTurnQuietMs: 30_000,
  maxToolOutputBytes: MAX_TOOL_OUTPUT_BYTES,
  maxQueuedPrompts: 1000,
  maxQueuedBytes: 64 * 1024 * 1024,
  maxQueuedBytesInAll: 256 * 1024 * 1024,
  maxLiveAgents: 64,
  maxPendingBytes: 16 * 1024 * 1024,
  checkpointTimeoutMs: 10_000,
  checkpointUpkeepMs: 3600_000,
  maxForkBytes: 128 * 1024 * 1024,
  unloadMs: 60_000,
  drainMs: 10 * 60_000,
};
