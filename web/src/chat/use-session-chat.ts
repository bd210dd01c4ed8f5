/** One session as a stock chat: `useChat` to show and send, the feed to notice what happens elsewhere. */
import { Chat } from "@ai-sdk/react";
import { generateId } from "ai";
import { useCallback, useEffect, useRef, useState } from "react";
import { InterlinguaError } from "../../../src/sdk/error.ts";
import { authorizedFetch, daemon, readChat } from "../api/client.ts";
import { isUnreachable, messageOf } from "../api/error-text.ts";
import type { PromptPart } from "../api/types.ts";
import {
  addUnanswered,
  isSending,
  onSendingOver,
  removeUnanswered,
  setSending,
  unansweredPrompts,
} from "../compose/kept-prompts.ts";
import { textOf } from "../compose/prompt-text.ts";
import { readQueue } from "../compose/read-queue.ts";
import { useFeed } from "../feed/use-feed.tsx";
import { useSteadyCallback } from "../ui/use-steady-callback.ts";
import { useSteadyFields } from "../ui/use-steady-fields.ts";
import { MergingChatTransport } from "./merge-deltas.ts";
import type { ChatMessage } from "./page-message.ts";
import { SessionSync } from "./session-sync.ts";
import { splitSteered } from "./split-steered.ts";
import { useShownMessages } from "./use-shown-messages.ts";

const PAGE = 60;
/** How much of a running call's output is kept to be shown. */
const LIVE_OUTPUT = 20_000;

interface MessagePage {
  messages: ChatMessage[];
  hasMore: boolean;
}

export interface SteeredPrompt {
  message: string;
  text: string;
}

/** What is another with every chunk, and all the rest. */
export interface StreamedChat {
  messages: readonly ChatMessage[];
  /** What running calls have put out so far, by call. */
  liveOutput: ReadonlyMap<string, string>;
  chat: SessionChat;
}

/** Stays the same object while an answer streams, so that what only needs this does not render with it. */
export interface SessionChat {
  /** Which messages are shown. */
  ids: ReadonlySet<string>;
  /** The messages as they are when it is called. */
  getMessages: () => readonly ChatMessage[];
  /** Whether a response is being read. */
  isStreaming: boolean;
  isLoaded: boolean;
  hasEarlier: boolean;
  /** Loads `count` more messages from before the first one. */
  loadEarlier: (count?: number) => Promise<void>;
  problem: string | undefined;
  clearProblem: () => void;
  /** Prompts that were given to the running turn and that it has not taken up yet. */
  steered: readonly SteeredPrompt[];
  send: (parts: PromptPart[]) => void;
  sendWhileBusy: (parts: PromptPart[], whenBusy: "queue" | "steer") => Promise<void>;
  /** Sends a changed prompt in place of `message`. What came after it is taken back. */
  edit: (message: string, parts: PromptPart[]) => void;
  /** Asks for another answer in place of `message`. */
  regenerate: (message: string) => void;
  /** Prompts that are shown and of which nobody knows yet whether they arrived. */
  uncertain: ReadonlySet<string>;
  /** A prompt that never reached the daemon, to be returned to the composer. */
  unsent: PromptPart[] | undefined;
  takeUnsent: () => void;
}

export function useSessionChat(session: string): StreamedChat {
  const feed = useFeed();
  const summary = feed.sessions.get(session);
  const [isLoaded, setIsLoaded] = useState(false);
  /** The first message of all, once it is known; null where nothing was said before what is shown. */
  const [start, setStart] = useState<string | null>();
  const [problem, setProblem] = useState<string>();
  const [liveOutput, setLiveOutput] = useState<ReadonlyMap<string, string>>(new Map());
  const [unsent, setUnsent] = useState<PromptPart[]>();
  const [uncertain, setUncertain] = useState<ReadonlySet<string>>(new Set());
  const [steered, setSteered] = useState<readonly SteeredPrompt[]>([]);
  const hasLoadedEarlier = useRef(false);

  const [{ chat, sync, takeBack, leave, comeBack, edit, regenerate }] = useState(() => {
    /** The prompt of the request that was sent last; only one at a time goes through the chat. */
    let posted: string | undefined;
    let isAccepted = false;
    const chat: Chat<ChatMessage> = new Chat<ChatMessage>({
      id: session,
      transport: new MergingChatTransport<ChatMessage>({
        api: "/api/chat",
        fetch: async (input, init) => {
          const response = await authorizedFetch(input, init);
          if (response.ok && init?.method === "POST") {
            isAccepted = true;
            if (posted !== undefined) removeUnanswered(session, posted);
          }
          if (isLeaving) void chat.stop();
          return response;
        },
        // The daemon has the history; only what is new is sent.
        prepareSendMessagesRequest: ({ id, messages, trigger, messageId }) => {
          const message = messages.at(-1);
          posted = message?.id;
          return { body: { id, message, trigger, messageId } };
        },
      }),
      onData(part) {
        if (part.type !== "data-tool-output") return;
        const { call, delta } = part.data as { call: string; delta: string };
        setLiveOutput((before) =>
          new Map(before).set(call, ((before.get(call) ?? "") + delta).slice(-LIVE_OUTPUT)),
        );
      },
      onError(error) {
        // A broken connection is restored by itself, and a message says how its turn failed.
        if ("statusCode" in error) setProblem(error.message);
      },
      onFinish() {
        setLiveOutput(new Map());
        sync.request();
      },
    });
    const sync = new SessionSync<ChatMessage>({
      async load() {
        const page = await readChat<MessagePage>(`${session}/messages?limit=${PAGE}`);
        const { messages, steered } = splitSteered(page.messages);
        const prompts = steered.map(({ id, parts }) => ({ message: id, text: textOf(parts) }));
        setSteered((before) => [...before.filter((prompt) => !isAmong(prompt, prompts)), ...prompts]);
        return { ...page, messages };
      },
      getMessages: () => chat.messages,
      setMessages: (messages) => {
        // A prompt stays in sight until it is known whether the daemon has it.
        const known = new Set(messages.map(({ id }) => id));
        const unknown = new Set(unansweredPrompts(session).map(({ id }) => id));
        const kept = chat.messages.filter(({ id }) => unknown.has(id) && !known.has(id));
        chat.messages = [...messages, ...kept];
      },
      isStreaming: () => chat.status === "submitted" || chat.status === "streaming",
      resume: () => chat.resumeStream(),
      onLoaded({ messages, hasMore }) {
        setIsLoaded(true);
        if (!hasMore || !hasLoadedEarlier.current) setStart(hasMore ? undefined : (messages[0]?.id ?? null));
        chat.clearError();
        void takeBack();
      },
      onFailed(error) {
        // If the daemon is gone, the banner says so, and the next snapshot of the feed triggers a retry.
        if (!isUnreachable(error)) setProblem(messageOf(error));
      },
    });

    /** Nobody looks at it; what comes back would be shown to nobody. */
    let isLeaving = false;

    /** Leaves the response; the turn goes on. A prompt on its way arrives first, however long its files take. */
    function leave(): void {
      isLeaving = true;
      if (chat.status !== "submitted") void chat.stop();
    }

    /** Whatever is being read may come from a connection that is dead. */
    function comeBack(): void {
      isLeaving = false;
      if (chat.status === "streaming") void chat.stop();
      sync.wake();
      void takeBack();
    }

    let isTakingBack = false;

    /** Only the daemon knows whether a prompt whose request broke has arrived. One that has not comes back. */
    async function takeBack(): Promise<void> {
      const prompts = unansweredPrompts(session).filter(({ id }) => !isSending(id));
      if (prompts.length === 0 || isTakingBack || isLeaving) return;
      isTakingBack = true;
      try {
        for (const { id, parts } of prompts) {
          const isThere = await hasPrompt(session, id);
          // Whoever looks at it next gets it back.
          if (isLeaving) return;
          removeUnanswered(session, id);
          if (isThere) continue;
          // It is not shown as said any more.
          chat.messages = chat.messages.filter((message) => message.id !== id);
          setUnsent((before) => [...(before ?? []), ...parts]);
        }
        setUncertain(new Set());
      } catch (error) {
        // It is retried when the daemon is back.
        if (!isUnreachable(error)) setProblem(messageOf(error));
      } finally {
        isTakingBack = false;
      }
    }

    /** A request that was refused has changed nothing but what the page shows. A turn that failed was no refusal. */
    async function rewrite(request: () => Promise<void>, onRefused: () => void): Promise<void> {
      setProblem(undefined);
      isAccepted = false;
      await request().catch((error) => setProblem(messageOf(error)));
      if (chat.status !== "error") return;
      if (!isAccepted) onRefused();
      chat.clearError();
      sync.request();
    }

    function edit(message: string, parts: PromptPart[]): void {
      void rewrite(
        () => chat.sendMessage({ messageId: message, role: "user", parts: shownParts(parts) }),
        () => setUnsent((before) => [...(before ?? []), ...parts]),
      );
    }

    function regenerate(message: string): void {
      void rewrite(
        () => chat.regenerate({ messageId: message }),
        () => {},
      );
    }
    return { chat, sync, takeBack, leave, comeBack, edit, regenerate };
  });

  useEffect(
    () => () => {
      sync.close();
      leave();
    },
    [sync, leave],
  );
  useEffect(() => {
    if (summary) sync.onSummary(summary);
  }, [sync, summary]);
  const isPaused = feed.connection === "paused";
  useEffect(() => {
    // Continues with the next snapshot.
    if (!isPaused) return;
    sync.pause();
    leave();
  }, [sync, leave, isPaused]);
  const { snapshots } = feed;
  useEffect(() => {
    if (snapshots > 0) comeBack();
  }, [comeBack, snapshots]);

  // Also one that was sent before the conversation was left, and is still on its way when it is looked at again.
  useEffect(() => onSendingOver(() => void takeBack()), [takeBack]);

  const { messages, ids, isStreaming } = useShownMessages(chat);
  const hasEarlier = messages.length > 0 && start !== null && messages[0]?.id !== start;

  const getMessages = useSteadyCallback(() => messages);
  const clearProblem = useCallback(() => setProblem(undefined), []);
  const takeUnsent = useCallback(() => setUnsent(undefined), []);
  const loadEarlier = useSteadyCallback(async (count: number = PAGE) => {
    const first = chat.messages[0]?.id;
    if (first === undefined || first === start) return;
    const page = await readChat<MessagePage>(
      `${session}/messages?limit=${count}&before=${encodeURIComponent(first)}`,
    );
    // What was shown was taken back meanwhile.
    if (chat.messages[0]?.id !== first) return;
    hasLoadedEarlier.current = true;
    chat.messages = [...page.messages, ...chat.messages];
    if (!page.hasMore) setStart(page.messages[0]?.id ?? first);
  });
  const send = useSteadyCallback((parts: PromptPart[]) => {
    const id = generateId();
    setProblem(undefined);
    addUnanswered(session, { id, parts });
    setSending(id, true);
    void chat.sendMessage({ id, role: "user", parts: shownParts(parts) }).finally(() => {
      if (unansweredPrompts(session).some((prompt) => prompt.id === id))
        setUncertain((before) => new Set(before).add(id));
      setSending(id, false);
    });
  });
  const sendWhileBusy = useSteadyCallback(async (parts: PromptPart[], whenBusy: "queue" | "steer") => {
    setProblem(undefined);
    const id = generateId();
    addUnanswered(session, { id, parts });
    setSending(id, true);
    try {
      const receipt = await daemon().call("POST /v1/sessions/{id}/messages", {
        params: { id: session },
        body: { id, parts, whenBusy },
      });
      removeUnanswered(session, id);
      if (receipt.state === "steered") {
        const prompt = { message: id, text: textOf(parts) };
        setSteered((before) => (isAmong(prompt, before) ? before : [...before, prompt]));
      }
    } finally {
      setSending(id, false);
    }
  });

  const state = { ids, isStreaming, isLoaded, hasEarlier, problem, uncertain, unsent, steered };
  const commands = {
    getMessages,
    clearProblem,
    takeUnsent,
    loadEarlier,
    send,
    sendWhileBusy,
    edit,
    regenerate,
  };
  return { messages, liveOutput, chat: useSteadyFields({ ...state, ...commands }) };
}

/** What a message of the chat may hold of a prompt. */
function shownParts(parts: readonly PromptPart[]) {
  return parts.flatMap((part) => (part.type === "context" ? [] : [part]));
}

function isAmong({ message }: SteeredPrompt, prompts: readonly SteeredPrompt[]): boolean {
  return prompts.some((prompt) => prompt.message === message);
}

/** Whether the daemon has a prompt. Checks the queue first, because prompts move from there into the history. */
async function hasPrompt(session: string, id: string): Promise<boolean> {
  const { prompts } = await readQueue(session);
  if (prompts.some(({ message }) => message === id)) return true;
  try {
    await daemon().call("GET /v1/sessions/{id}/messages/{message}", { params: { id: session, message: id } });
    return true;
  } catch (error) {
    if (InterlinguaError.is(error, "message_not_found")) return false;
    throw error;
  }
}
