import { expect, test } from "vitest";
import { SessionSync, type SyncedChat } from "./session-sync.ts";

interface Message {
  id: string;
  role: string;
  metadata?: { replyTo: string };
}

/** A chat and a daemon in one, with everything that happens written down. */
class FakeChat implements SyncedChat<Message> {
  stored: Message[] = [{ id: "u1", role: "user" }];
  messages: Message[] = [];
  streaming = false;
  readonly happened: string[] = [];
  loads: (() => void)[] = [];
  resumes: (() => void)[] = [];

  async load() {
    this.happened.push("load");
    await new Promise<void>((done) => this.loads.push(done));
    return { messages: [...this.stored], hasMore: false };
  }

  getMessages() {
    return this.messages;
  }

  setMessages(messages: Message[]) {
    this.messages = messages;
    this.happened.push(`show ${messages.map(({ id }) => id).join(" ")}`);
  }

  isStreaming() {
    return this.streaming;
  }

  async resume() {
    this.happened.push("resume");
    await new Promise<void>((done) => this.resumes.push(done));
  }

  onLoaded() {}

  onFailed() {
    this.happened.push("failed");
  }

  /** Lets what is under way go on. */
  async settle(which: (() => void)[]) {
    await Promise.resolve();
    for (const done of which.splice(0)) done();
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  }
}

test("an idle session is loaded once and not joined", async () => {
  const chat = new FakeChat();
  const sync = new SessionSync(chat);
  sync.onSummary({ status: "idle", head: 4 });
  await chat.settle(chat.loads);
  sync.onSummary({ status: "idle", head: 4 });
  await chat.settle(chat.loads);
  expect(chat.happened).toEqual(["load", "show u1"]);
});

test("a turn begun elsewhere is joined, and the end is loaded", async () => {
  const chat = new FakeChat();
  const sync = new SessionSync(chat);
  sync.onSummary({ status: "running", head: 4 });
  await chat.settle(chat.loads);
  sync.onSummary({ status: "running", head: 9 });
  sync.onSummary({ status: "idle", head: 12 });
  chat.stored.push({ id: "m1", role: "assistant" });
  await chat.settle(chat.resumes);
  await chat.settle(chat.loads);
  expect(chat.happened).toEqual(["load", "show u1", "resume", "load", "show u1 m1"]);
});

test("changes that come while it loads make it load once more", async () => {
  const chat = new FakeChat();
  const sync = new SessionSync(chat);
  sync.onSummary({ status: "idle", head: 4 });
  for (const head of [5, 6, 7]) sync.onSummary({ status: "idle", head });
  await chat.settle(chat.loads);
  await chat.settle(chat.loads);
  expect(chat.happened).toEqual(["load", "show u1", "load", "show u1"]);
});

test("a response that the chat reads itself is left alone", async () => {
  const chat = new FakeChat();
  const sync = new SessionSync(chat);
  chat.streaming = true;
  sync.onSummary({ status: "running", head: 4 });
  await chat.settle(chat.loads);
  expect(chat.happened).toEqual([]);
  chat.streaming = false;
  sync.onSummary({ status: "idle", head: 5 });
  await chat.settle(chat.loads);
  expect(chat.happened).toEqual(["load", "show u1"]);
});

test("what was loaded is dropped when a message was sent meanwhile", async () => {
  const chat = new FakeChat();
  const sync = new SessionSync(chat);
  sync.request();
  chat.streaming = true;
  await chat.settle(chat.loads);
  expect(chat.happened).toEqual(["load"]);
});

test("while nobody looks nothing is loaded; then everything is", async () => {
  const chat = new FakeChat();
  const sync = new SessionSync(chat);
  sync.onSummary({ status: "running", head: 4 });
  await chat.settle(chat.loads);
  sync.pause();
  sync.onSummary({ status: "idle", head: 9 });
  await chat.settle(chat.resumes);
  expect(chat.happened).toEqual(["load", "show u1", "resume"]);
  sync.wake();
  await chat.settle(chat.loads);
  expect(chat.happened).toEqual(["load", "show u1", "resume", "load", "show u1"]);
});

test("after a failure the next request tries again", async () => {
  const chat = new FakeChat();
  const sync = new SessionSync(chat);
  chat.load = async () => {
    throw new TypeError("Failed to fetch");
  };
  sync.request();
  await chat.settle([]);
  expect(chat.happened).toEqual(["failed"]);
  chat.load = async () => ({ messages: chat.stored, hasMore: false });
  sync.onSummary({ status: "idle", head: 1 });
  await chat.settle([]);
  expect(chat.happened).toEqual(["failed", "show u1"]);
});
