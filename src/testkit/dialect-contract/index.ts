/** The contract every dialect is held to. */

export { type DialectSuite, describeDialectContract } from "./describe-dialect-contract.ts";
export {
  type ContractOptions,
  type DialectContract,
  expectBoundedMemory,
  expectDialectContract,
} from "./dialect-contract.ts";
export { foldTranscript } from "./fold-transcript.ts";
export type {
  AnsweredPart,
  AskPart,
  CalledPart,
  CallPart,
  CallResult,
  OtherPart,
  PartOf,
  PartOrigin,
  PartType,
  SaidPart,
  Transcript,
  TranscriptMessage,
  TranscriptPart,
} from "./transcript.ts";
export {
  type AnyTranscriptContract,
  type Drop,
  expectTranscript,
  messageStory,
  reduceTranscript,
  type Story,
  type TranscriptContract,
} from "./transcript-contract.ts";
