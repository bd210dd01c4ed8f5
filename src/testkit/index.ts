/** What authors of adapters and dialects test with. test/exports.test.ts lists the names. */

// Contracts.

export {
  ADAPTER_CHECKS,
  type AdapterCheck,
  type AdapterContract,
  type ContractScenarios,
  describeAdapterContract,
  type Scenario,
  UNIFIED_CHECKS,
} from "./adapter-contract/index.ts";
export * from "./dialect-contract/index.ts";

// A session and its log.

export { randomLog } from "./random-log.ts";
export { SCRIPTED_CAPABILITIES, ScriptedAdapter, ScriptedSession } from "./scripted-adapter.ts";
export { type RunOptions, SessionRun, startRun } from "./session-run.ts";
export { until } from "./until.ts";

// A model that says what a test wants.

export * from "./scripted-model/index.ts";

// Recordings, and agents that misbehave.

export { type HostileAgentOptions, hostileAgent, type WireName } from "./hostile-agent/index.ts";
export {
  type MisbehavingAcpAgentOptions,
  misbehavingAcpAgent,
  type StartFault,
} from "./misbehaving-acp-agent/index.ts";
export { openRecorder, type Recorder, recorded, recordedCommand } from "./recorder/index.ts";
export { type PlayerOptions, recordingPlayer } from "./recording-player/index.ts";
