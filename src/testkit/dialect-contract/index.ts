/** The contract every dialect is held to. */
export * from "./dialect-contract.ts";
