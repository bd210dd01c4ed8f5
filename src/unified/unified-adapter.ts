/**
 * The port to agents as the guide has it: messages instead of commands and drafts. `toUnifiedAdapter` and
 * `fromUnifiedAdapter` lead from our port to this one and back. Of the guide's extensions, those without messages in them
 * are the ones of our own port: Interruptible, Configurable and PermissionHandler.
 */
import type { UnifiedMessage } from "./unified-message.ts";

/** The guide's BackendAdapter. */
export interface UnifiedAdapter {
  /** For logs and errors: `codex`. */
  readonly name: string;
  readonly capabilities: UnifiedCapabilities;
  /** Rejects on failure; never returns a broken session. */
  connect(options: UnifiedConnectOptions): Promise<UnifiedSession>;
}

/** The guide's BackendCapabilities. */
export interface UnifiedCapabilities {
  /** Partial answers arrive while they are written. */
  streaming: boolean;
  /** The agent itself asks before it acts. */
  permissions: boolean;
  slashCommands: boolean;
  availability: "local" | "remote" | "both";
}

/** The guide's ConnectOptions. */
export interface UnifiedConnectOptions {
  sessionId: string;
  /** Go on with an earlier conversation. */
  resume?: boolean;
  /** Settings only this adapter understands. */
  adapterOptions?: Record<string, unknown>;
}

/** The guide's BackendSession. */
export interface UnifiedSession {
  /** By the guide that of `UnifiedConnectOptions`. Another one is the agent's own name of the conversation. */
  readonly sessionId: string;
  /** Throws when the session is closed. */
  send(message: UnifiedMessage): void;
  /** What the agent says; one reader. Ends when the session is closed or the agent is gone. */
  readonly messages: AsyncIterable<UnifiedMessage>;
  close(): Promise<void>;
}

/** The guide's Reconnectable: the session can lose its reader and repeat what was missed. */
export interface UnifiedReconnectable {
  /** Called when the agent is gone without `close()`. */
  onDisconnect(listener: () => void): void;
  /** Everything after this number again, and then what comes. 0 is from the beginning. */
  replay(fromSequence: number): AsyncIterable<SequencedMessage>;
}

/** A session of ours that takes messages no command says, because its agent speaks this protocol. */
export interface UnifiedPassthrough {
  /** Throws when the session is closed. */
  sendUnified(message: UnifiedMessage): void;
}

/** A message with its place: the sequenced envelope. */
export interface SequencedMessage {
  /** Of several messages made of one event only the last has it. Absent for those made of none. */
  seq?: number;
  message_id: string;
  timestamp: number;
  payload: UnifiedMessage;
}

/** A message nobody between the two ends can read. */
export interface EncryptedMessage {
  ciphertext: Uint8Array;
  iv: Uint8Array;
  algorithm: string;
}

/** The guide's Encryptable, for envelopes encrypted end to end. Defined and not active: no session implements it. */
export interface UnifiedEncryptable {
  encrypt(message: UnifiedMessage): Promise<EncryptedMessage>;
  decrypt(message: EncryptedMessage): Promise<UnifiedMessage>;
}
