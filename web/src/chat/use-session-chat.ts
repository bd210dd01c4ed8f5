/** One session as a stock chat: `useChat` for what is shown and sent, the feed to notice what happens elsewhere. */
import { Chat, useChat } from "@ai-sdk/react";
import { generateId } from "ai";
import { useEffect, useMemo, useRef, useState } from "react";
import { ApiError, isUnreachable, messageOf } from "../api/api-error.ts";
import { authorizedFetch, call } from "../api/client.ts";
import type { PromptPart, PromptReceipt } from "../api/types.ts";
import { useFeed } from "../feed/use-feed.tsx";
import { MergingChatTransport } from "./merge-deltas.ts";
import type { ChatMessage } from "./page-message.ts";
import { SessionSync } from "./session-sync.ts";
import { steadyMessage } from "./steady-message.ts";

/** How often what streams is drawn anew. */
const THROTTLE_MS = 40;
const PAGE = 60;
/** How much of a running call's output is kept to be shown. */
const LIVE_OUTPUT = 20_000;

interface MessagePage {
  messages: ChatMessage[];
  hasMore: boolean;
}

export interface SessionChat {
  messages: readonly ChatMessage[];
  /** Whether a response is being read. */
  isStreaming: boolean;
  isLoaded: boolean;
  hasEarlier: boolean;
  loadEarlier: () => Promise<void>;
  liveOutput: ReadonlyMap<string, string>;
  problem: string | undefined;
  clearProblem: () => void;
  send: (parts: PromptPart[]) => void;
  sendWhileBusy: (parts: PromptPart[], whenBusy: "queue" | "steer") => Promise<void>;
  /** A prompt that never reached the daemon, to be taken back into the composer. */
  unsent: PromptPart[] | undefined;
  takeUnsent: () => void;
}

export function useSessionChat(session: string): SessionChat {
  const feed = useFeed();
  const news = feed.sessions.get(session);
  const [isLoaded, setIsLoaded] = useState(false);
  const [hasEarlier, setHasEarlier] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [liveOutput, setLiveOutput] = useState<ReadonlyMap<string, string>>(new Map());
  const [unsent, setUnsent] = useState<PromptPart[]>();
  const pending = useRef<{ id: string; parts: PromptPart[] }>(undefined);
  const hasLoadedEarlier = useRef(false);

  const [{ chat, sync }] = useState(() => {
    const chat: Chat<ChatMessage> = new Chat<ChatMessage>({
      id: session,
      transport: new MergingChatTransport<ChatMessage>({
        api: "/api/chat",
        fetch: authorizedFetch,
        // The daemon has the history; only what is new is sent.
        prepareSendMessagesRequest: ({ id, messages, trigger, messageId }) => ({
          body: { id, message: messages.at(-1), trigger, messageId },
        }),
      }),
      onData(part) {
        if (part.type !== "data-tool-output") return;
        const { call, delta } = part.data as { call: string; delta: string };
        setLiveOutput((before) =>
          new Map(before).set(call, ((before.get(call) ?? "") + delta).slice(-LIVE_OUTPUT)),
        );
      },
      onError(error) {
        // A broken connection mends itself, and how a turn failed stands in its message.
        if ("statusCode" in error) setProblem(error.message);
      },
      onFinish() {
        setLiveOutput(new Map());
        sync.request();
      },
    });
    const sync = new SessionSync<ChatMessage>({
      load: () => call<MessagePage>("GET", `/v1/sessions/${session}/messages?limit=${PAGE}`),
      getMessages: () => chat.messages,
      setMessages: (messages) => {
        chat.messages = messages;
      },
      isStreaming: () => chat.status === "submitted" || chat.status === "streaming",
      resume: () => chat.resumeStream(),
      onLoaded({ messages, hasMore }) {
        setIsLoaded(true);
        if (!hasLoadedEarlier.current) setHasEarlier(hasMore);
        chat.clearError();
        void takeBackUnsent(messages);
      },
      onFailed(error) {
        // Where the daemon is gone, the banner says so and the next snapshot of the feed tries again.
        if (!isUnreachable(error)) setProblem(messageOf(error));
      },
    });

    /** Only the daemon knows whether a prompt whose request broke has arrived. */
    async function takeBackUnsent(messages: readonly ChatMessage[]): Promise<void> {
      const prompt = pending.current;
      pending.current = undefined;
      if (!prompt || messages.some(({ id }) => id === prompt.id)) return;
      try {
        await call("GET", `/v1/sessions/${session}/messages/${prompt.id}`);
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) setUnsent(prompt.parts);
        else pending.current = prompt;
      }
    }
    return { chat, sync };
  });

  useEffect(
    () => () => {
      sync.close();
      // Leaves the response; the turn goes on.
      void chat.stop();
    },
    [chat, sync],
  );
  useEffect(() => {
    if (news) sync.onNews(news);
  }, [sync, news]);
  const isPaused = feed.connection === "paused";
  useEffect(() => {
    // With the next snapshot it goes on.
    if (!isPaused) return;
    sync.pause();
    void chat.stop();
  }, [chat, sync, isPaused]);
  const { snapshots } = feed;
  useEffect(() => {
    if (snapshots > 0) sync.wake();
  }, [sync, snapshots]);

  const { messages: latest, status } = useChat<ChatMessage>({ chat, throttle: THROTTLE_MS });
  const isStreaming = status === "submitted" || status === "streaming";
  const shownLast = useRef<ChatMessage>(undefined);
  const messages = useMemo(() => {
    const last = latest.at(-1);
    const steady = last && steadyMessage(shownLast.current, last, isStreaming);
    shownLast.current = steady;
    return steady === last || !steady ? latest : [...latest.slice(0, -1), steady];
  }, [latest, isStreaming]);

  return {
    messages,
    isStreaming,
    isLoaded,
    hasEarlier,
    liveOutput,
    problem,
    clearProblem: () => setProblem(undefined),
    unsent,
    takeUnsent: () => setUnsent(undefined),
    async loadEarlier() {
      const first = chat.messages[0]?.id;
      if (first === undefined) return;
      const page = await call<MessagePage>(
        "GET",
        `/v1/sessions/${session}/messages?limit=${PAGE}&before=${encodeURIComponent(first)}`,
      );
      hasLoadedEarlier.current = true;
      chat.messages = [...page.messages, ...chat.messages];
      setHasEarlier(page.hasMore);
    },
    send(parts) {
      const id = generateId();
      setProblem(undefined);
      pending.current = { id, parts };
      void chat.sendMessage({ id, role: "user", parts });
    },
    async sendWhileBusy(parts, whenBusy) {
      setProblem(undefined);
      const id = generateId();
      await call<PromptReceipt>("POST", `/v1/sessions/${session}/messages`, { id, parts, whenBusy });
    },
  };
}
