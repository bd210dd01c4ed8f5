import { expect, test } from "vitest";
import { until } from "../testkit/until.ts";
import { ChatSync, type FollowedChat } from "./chat-sync.ts";
import type { SessionEvent } from "./types.ts";

interface Message {
  readonly id: string;
}

/** A chat whose last response failed, and the session it shows. */
function openFailedChat() {
  const stored: Message[] = [{ id: "one" }];
  let resumed = 0;
  const chat: FollowedChat<Message> = {
    id: "chat",
    status: "error",
    messages: [],
    resumeStream: async () => {
      resumed += 1;
    },
  };
  const load = async () => ({ messages: [...stored], hasMore: false });
  const sync = new ChatSync(chat, load, new AbortController().signal);
  const see = (type: SessionEvent["type"]) => sync.onEvent({ type } as SessionEvent);
  return { chat, stored, see, resumed: () => resumed };
}

test("a chat that shows an error goes on following", async () => {
  const { chat, stored, see, resumed } = openFailedChat();
  see("prompt.dispatched");
  await until(() => chat.messages.length === 1 && resumed() === 1);
  stored.push({ id: "two" });
  see("message.started");
  await until(() => chat.messages.length === 2 && resumed() === 2);
});

test("a chat keeps the error of its turn until something else can be read", async () => {
  const { chat, see, resumed } = openFailedChat();
  see("message.system");
  see("turn.ended");
  await until(() => chat.messages.length === 1);
  expect(resumed()).toBe(0);
  see("prompt.dispatched");
  await until(() => resumed() === 1);
});
