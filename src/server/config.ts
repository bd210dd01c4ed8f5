/** The server's options, and its limits with their defaults. */
import type { Logger } from "pino";
import type { NotifyTarget } from "../core/notify-target.ts";
import type { FurtherRoots } from "./directories/allowed-roots.ts";

export interface ServerConfig {
  host: string;
  /** 0 picks a free one. */
  port: number;
  /** Where programs of this machine reach it, of where it listens. The latter when absent. */
  localUrl?: (url: string) => string;
  /** The token clients must send. */
  token: string;
  /** A token that is taken besides. */
  formerToken?: string;
  /** Host names besides the loopback ones, with or without a port. */
  allowedHosts: readonly string[];
  /** Origins of pages that may call from a browser, as `https://example.org`. */
  corsOrigins: readonly string[];
  /** Directories sessions may work in; the first is the default. Never empty. */
  roots: readonly string[];
  furtherRoots?: FurtherRoots;
  defaultAgent: string;
  /** Whether a setting names `defaultAgent`. No when absent. */
  isDefaultAgentConfigured?: boolean;
  /** What this daemon is called beside others. That of the machine when absent. */
  nodeName?: string;
  /** How many agents may run at once. */
  maxLiveAgents?: number;
  /** See `DialectMount.keepRunning`. No when absent. */
  keepRunning?: boolean;
  version: string;
  logger: Logger;
  /** Who is told when something waits or ends. Nobody when absent. */
  notify?: readonly NotifyTarget[];
  limits?: Partial<ServerLimits>;
}

/** The defaults never trip a single local client working normally. */
export interface ServerLimits {
  /** The size limit of prompts, chats and answers. */
  maxBodyBytes: number;
  /** The size limit of every other body. */
  maxSettingsBytes: number;
  /** The total size of request bodies being read or handled. */
  maxBodyMemoryBytes: number;
  /** The total size of unsent answers, without streams. */
  maxUnsentBytes: number;
  /** Per remote address. */
  requestsPerSecond: number;
  requestBurst: number;
  /** Requests with a wrong or missing token, per remote address. */
  failuresPerSecond: number;
  failureBurst: number;
  maxConnections: number;
  /** Event streams and sockets open at once. */
  maxStreams: number;
  /** The size limit of a message that a client sends through a socket. */
  maxMessageBytes: number;
  /** How many messages of a socket are read. */
  messagesPerSecond: number;
  messageBurst: number;
  /** A quiet stream gets a comment at least this often, and a socket a ping. */
  keepAliveMs: number;
  /** How long requests may take to finish when the server closes. */
  shutdownMs: number;
  /** How much of a log is read at once for a slow reader. */
  pageBytes: number;
  /** How much of each followed log stays in memory for readers that are slightly behind. */
  recentBytes: number;
  /** How much of all followed logs together stays in memory. */
  recentBytesOverall: number;
}

export const DEFAULT_SERVER_LIMITS: ServerLimits = {
  maxBodyBytes: 16 * 1024 * 1024,
  maxSettingsBytes: 1024 * 1024,
  maxBodyMemoryBytes: 256 * 1024 * 1024,
  maxUnsentBytes: 128 * 1024 * 1024,
  requestsPerSecond: 500,
  requestBurst: 2000,
  failuresPerSecond: 10,
  failureBurst: 50,
  maxConnections: 4096,
  maxStreams: 2000,
  maxMessageBytes: 16 * 1024 * 1024,
  messagesPerSecond: 50,
  messageBurst: 20,
  keepAliveMs: 15_000,
  shutdownMs: 5_000,
  pageBytes: 256 * 1024,
  recentBytes: 1024 * 1024,
  recentBytesOverall: 16 * 1024 * 1024,
};
