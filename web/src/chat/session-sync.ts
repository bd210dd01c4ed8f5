/**
 * Keeps a stock chat in sync with the log. `useChat` sees only responses it requested, not turns that began elsewhere
 * (in another tab, by the agent itself, after an answer on the phone, before a restart). When the state feed reports a
 * change, this loads the stored history, and joins the stream if a turn is running.
 */
import type { SessionStatus } from "../api/types.ts";
import { type HistoryMessage, mergeHistory } from "./merge-history.ts";

export interface SyncedChat<Message extends HistoryMessage> {
  /** The newest page of the stored history. */
  load(): Promise<{ messages: Message[]; hasMore: boolean }>;
  getMessages(): readonly Message[];
  setMessages(messages: Message[]): void;
  /** Whether the chat reads a response now. */
  isStreaming(): boolean;
  /** Joins the stream of the running turn; resolves when it has ended, at once when there is none. */
  resume(): Promise<void>;
  onLoaded(page: { messages: readonly Message[]; hasMore: boolean }): void;
  onFailed(error: unknown): void;
}

export interface SessionProgress {
  status: SessionStatus;
  head: number;
}

export class SessionSync<Message extends HistoryMessage> {
  readonly #chat: SyncedChat<Message>;
  #summary: SessionProgress | undefined;
  /** The last loaded history is at least as new as this head. */
  #syncedHead = -1;
  #isWanted = false;
  #isRunning = false;
  #isClosed = false;
  #isPaused = false;

  constructor(chat: SyncedChat<Message>) {
    this.#chat = chat;
  }

  /** What the feed says about the session. */
  onSummary(summary: SessionProgress): void {
    this.#summary = summary;
    if (summary.head > this.#syncedHead) this.request();
  }

  /**
   * Loads soon. Does nothing while the chat reads a response, which loading would break: call it again when the
   * response ends. Concurrent calls are merged.
   */
  request(): void {
    this.#isWanted = true;
    if (!this.#isRunning) void this.#run();
  }

  /** The tab is hidden: loads wait until `wake`. */
  pause(): void {
    this.#isPaused = true;
  }

  /** Everything may have changed. */
  wake(): void {
    this.#isPaused = false;
    this.request();
  }

  close(): void {
    this.#isClosed = true;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#isWanted && !this.#isClosed && !this.#isPaused && !this.#chat.isStreaming()) {
      this.#isWanted = false;
      try {
        await this.#round();
      } catch (error) {
        if (!this.#isClosed) this.#chat.onFailed(error);
      }
    }
    this.#isRunning = false;
  }

  async #round(): Promise<void> {
    const { head = 0, status = "running" } = this.#summary ?? {};
    const page = await this.#chat.load();
    // Somebody sent a message meanwhile: what was loaded does not know it yet.
    if (this.#isClosed || this.#chat.isStreaming()) return;
    const isLive = this.#isLive(status);
    this.#syncedHead = head;
    this.#chat.setMessages(
      mergeHistory(this.#chat.getMessages(), page.messages, { hasMore: page.hasMore, isLive }),
    );
    this.#chat.onLoaded(page);
    if (isLive) await this.#chat.resume();
    if ((this.#summary?.head ?? 0) > this.#syncedHead) this.#isWanted = true;
  }

  #isLive(before: SessionStatus): boolean {
    const now = this.#summary?.status ?? before;
    return [before, now].some((status) => status !== "idle" && status !== "failed" && status !== "closed");
  }
}
