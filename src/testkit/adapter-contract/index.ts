/** The contract every adapter is held to. */
export type * from "./adapter-contract.ts";
export * from "./checks/index.ts";
export * from "./describe-adapter-contract.ts";
