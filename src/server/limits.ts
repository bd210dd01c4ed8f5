/** The server's limits, with their defaults. */

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

/** A prompt with its images, whether it comes as a request or through a socket. */
export const MAX_PROMPT_BYTES = 16 * 1024 * 1024;

export const DEFAULT_SERVER_LIMITS: ServerLimits = {
  maxBodyBytes: MAX_PROMPT_BYTES,
  maxSettingsBytes: 1024 * 1024,
  maxBodyMemoryBytes: 256 * 1024 * 1024,
  maxUnsentBytes: 128 * 1024 * 1024,
  requestsPerSecond: 500,
  requestBurst: 2000,
  failuresPerSecond: 10,
  failureBurst: 50,
  maxConnections: 4096,
  maxStreams: 2000,
  maxMessageBytes: MAX_PROMPT_BYTES,
  messagesPerSecond: 50,
  messageBurst: 20,
  keepAliveMs: 15_000,
  shutdownMs: 5_000,
  pageBytes: 256 * 1024,
  recentBytes: 1024 * 1024,
  recentBytesOverall: 16 * 1024 * 1024,
};
