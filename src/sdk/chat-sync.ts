/** Keeps a chat in step with its session: `useChat` sees only the responses it asked for. */
import { sleep } from "./sleep.ts";
import type { SessionEvent } from "./types.ts";

/** A `Chat` of the AI SDK. */
export interface FollowedChat<Message> {
  readonly id: string;
  readonly status: "submitted" | "streaming" | "ready" | "error";
  messages: Message[];
  resumeStream(): Promise<void>;
}

interface Page<Message> {
  readonly messages: Message[];
  readonly hasMore: boolean;
}

/** What changes the conversation, or lets it go on. */
const NEWS: ReadonlySet<SessionEvent["type"]> = new Set<SessionEvent["type"]>([
  "prompt.dispatched",
  "message.started",
  "message.system",
  "ask.opened",
  "ask.closed",
  "turn.ended",
  "tool.amended",
  "conversation.rewound",
]);

/** What a response can be read after. */
const BEGINS: ReadonlySet<SessionEvent["type"]> = new Set<SessionEvent["type"]>([
  "prompt.dispatched",
  "message.started",
  "ask.closed",
]);

/** How often a chat that reads a response is asked whether it still does, when there is news. */
const BUSY_MS = 100;
/** When loading is tried again. */
const RETRY_MS = 1000;

export class ChatSync<Message extends { readonly id: string }> {
  readonly #chat: FollowedChat<Message>;
  readonly #load: () => Promise<Page<Message>>;
  readonly #over: AbortSignal;
  #isWanted = false;
  #isRunning = false;
  /** A turn goes on that can be read. */
  #hasBegun = false;

  constructor(chat: FollowedChat<Message>, load: () => Promise<Page<Message>>, over: AbortSignal) {
    this.#chat = chat;
    this.#load = load;
    this.#over = over;
  }

  onEvent({ type }: SessionEvent): void {
    if (BEGINS.has(type)) this.#hasBegun = true;
    else if (type === "turn.ended") this.#hasBegun = false;
    if (NEWS.has(type)) this.request();
  }

  /** Loads soon; when the chat reads a response, after it. */
  request(): void {
    this.#isWanted = true;
    if (!this.#isRunning) void this.#run();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#isWanted && !this.#over.aborted) {
      if (this.#isBusy) {
        await sleep(BUSY_MS);
        continue;
      }
      this.#isWanted = false;
      await this.#round().catch(async () => {
        this.#isWanted = true;
        await sleep(RETRY_MS);
      });
    }
    this.#isRunning = false;
  }

  async #round(): Promise<void> {
    const chat = this.#chat;
    const page = await this.#load();
    if (this.#over.aborted) return;
    if (this.#isBusy) {
      // Somebody sent a message meanwhile, which the page does not know.
      this.#isWanted = true;
      return;
    }
    const first = page.messages[0]?.id;
    const place = page.hasMore ? chat.messages.findIndex(({ id }) => id === first) : 0;
    chat.messages = [...chat.messages.slice(0, Math.max(0, place)), ...page.messages];
    // An error that the chat shows is gone when it reads again, so that needs something to read.
    if (chat.status === "ready" || this.#hasBegun) await chat.resumeStream();
  }

  /** Whether the chat waits for a response or reads one. */
  get #isBusy(): boolean {
    const { status } = this.#chat;
    return status === "submitted" || status === "streaming";
  }
}
