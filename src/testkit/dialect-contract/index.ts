/** The contract every dialect is held to. */
export {
  type ContractOptions,
  type DialectContract,
  expectBoundedMemory,
  expectDialectContract,
} from "./dialect-contract.ts";
