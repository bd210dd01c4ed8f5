/**
 * The port to what an agent keeps of its conversations in files of its own, so that it can travel to another machine.
 * Contents are as the agent has them: whoever stores them masks secrets first. Only what belongs to the one conversation
 * passes through here, never credentials or settings.
 */
import type { ConnectOptions } from "./adapter.ts";

/** A conversation, with what its agent is started with: that decides where the agent keeps its files. */
export type Conversation = ConnectOptions & { agentSessionId: string };

/** By the name of a part: how far it was read. Only the adapter that made a mark understands it. */
export type MemoryMarks = ReadonlyMap<string, unknown>;

/** What a part has gained, or all of it. */
export interface MemoryUpdate {
  readonly part: string;
  /** UTF-8. Of a part whose name ends with `.jsonl` whole lines. */
  readonly data: Uint8Array;
  /** It is the whole content. */
  readonly replaces?: true;
  /** How far the part is read with this. */
  readonly mark: unknown;
}

/**
 * What is here of a part, compared with what was captured: it is that, secrets aside; it is something else, but this node's
 * own and newer; or neither.
 */
export type MemoryComparison = "same" | "own" | "other";

export interface AdapterMemory {
  /** The agent itself keeps placeholders in the place of secrets: they stay where it resumes. */
  readonly keepsPlaceholders?: true;
  /**
   * What there is of the conversation beyond what is marked. Only reads, and may be called while the agent works: then it
   * gives what is complete. Nothing where there is nothing. Rejects with a sentence where it cannot be read.
   */
  capture(conversation: Conversation, marks: MemoryMarks): Promise<readonly MemoryUpdate[]>;
  /**
   * Brings what the agent has here to what was captured, perhaps elsewhere, before it resumes; its process does not have the
   * conversation open. What goes on from there is left as it is, everything else is replaced. Calls `beforeWrite` before
   * it changes anything, and changes nothing if that rejects. Parts that are not its own are ignored. Gives the marks of
   * the others, as the agent has them here.
   *
   * @param compare Asked where bytes differ, with as many lines as were captured, or a whole file. What is `own` is left, too,
   * and gets no mark. Absent: all that differs is `other`.
   */
  restore(
    conversation: Conversation,
    parts: ReadonlyMap<string, Uint8Array>,
    beforeWrite: () => Promise<void>,
    compare?: (part: string, here: Uint8Array) => Promise<MemoryComparison>,
  ): Promise<MemoryMarks>;
}

/** The most that is kept of one conversation. */
export const MAX_MEMORY_BYTES = 64 * 1024 * 1024;
