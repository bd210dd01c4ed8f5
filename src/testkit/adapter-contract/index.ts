/** The contract every adapter is held to. */
export type { AdapterCheck, AdapterContract, ContractScenarios, Scenario } from "./adapter-contract.ts";
export { ADAPTER_CHECKS } from "./checks/index.ts";
export { describeAdapterContract } from "./describe-adapter-contract.ts";
export { UNIFIED_CHECKS } from "./unified/unified-checks.ts";
