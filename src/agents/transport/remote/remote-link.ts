/** A line to an agent that runs elsewhere, whatever carries it. */
import type { Line } from "../../../process/line-splitter.ts";

/** Where an agent that runs elsewhere is reached. */
export interface RemoteAddress {
  /** `wss:`, or `ws:` and `tcp:` on this machine. */
  readonly url: string;
  /** Sent when a WebSocket is opened. Secret: never log them. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface RemoteLink {
  /** Resolves when the message was handed to the operating system. Rejects when the line is gone. */
  send(message: string): Promise<void>;
  /** Nothing is read any more until `resume`: the other side waits. */
  pause(): void;
  resume(): void;
  /** Says goodbye and leaves, without waiting for an answer. Idempotent. */
  close(): void;
}

export interface RemoteEvents {
  /** A message of the agent. */
  heard(message: Line): void;
  /** The line is gone, and why, for a person. Called once, and nothing comes after it. */
  lost(reason: string): void;
}

export interface RemoteLimits {
  /** A longer message ends the line. */
  readonly maxMessageBytes: number;
  /** How long one attempt to connect may take. As long as the signal allows when absent. */
  readonly attemptMs?: number;
  /** How often a WebSocket is asked whether somebody is there. Two questions without an answer mean that nobody is. */
  readonly pingMs: number;
}

/** Why an attempt failed, and whether another one may not. */
export class ConnectFailure extends Error {
  readonly mayPass: boolean;

  constructor(reason: string, { mayPass, cause }: { mayPass: boolean; cause?: unknown }) {
    super(reason, { cause });
    this.mayPass = mayPass;
  }
}

/** A server that is being started, or a network that is coming back. */
const PASSING = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ECONNABORTED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENETDOWN",
  "ETIMEDOUT",
  "EPIPE",
  "EAI_AGAIN",
]);

export function connectFailure(error: NodeJS.ErrnoException): ConnectFailure {
  const codes = error instanceof AggregateError ? error.errors.map(({ code }) => code) : [error.code];
  const mayPass = codes.some((code) => PASSING.has(code));
  const reason = error.message || codes.join(", ");
  return new ConnectFailure(reason, { mayPass, cause: error });
}

/** The address without what may be secret in it. */
export function shownAddress(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${protocol === "tcp:" ? "" : pathname}`;
}
