/** Whether a failed start says nothing about the conversation to resume: limits, sign-in, the network, or another program that has it open. */
import { findFailureCode } from "./model-failure.ts";

const NETWORK =
  /\b(E(CONN|NET|HOST)[A-Z]+|ENOTFOUND|ETIMEDOUT|EAI_AGAIN|getaddrinfo)\b|fetch failed|socket hang up|network (error|is unreachable|request failed)|connection (refused|reset|timed out|error)|(request|operation) timed out|unable to connect|could not connect/i;

/** Somebody else has the conversation open. */
const IN_USE = /already (in use|open|running|has an active writer)|active writer|\bis locked\b/i;

export function isPassingFailure(said: string): boolean {
  const code = findFailureCode({ said });
  return (code !== undefined && code !== "context_full") || NETWORK.test(said) || IN_USE.test(said);
}
