/** Codex: the messages of its app-server, or the events of `codex exec --json` and its SDK. */
import { promptInput } from "../../agents/codex/inbound/prompt.ts";
import {
  assumed,
  type Fields,
  fieldsOf,
  heard,
  type NativeForm,
  type NativeReader,
  type NativeRecord,
  sent,
  textOf,
} from "../form.ts";

export const codex: NativeForm = {
  createReader: () => new CodexReader(),
  idOf: ({ params, item }) => textOf(fieldsOf(fieldsOf(params).item ?? item).id),
  toInput: (parts) => promptInput(parts).map(({ interlingua: _own, ...input }) => input),
};

class CodexReader implements NativeReader {
  /** It is named by the answer to a request. Where that was not shown, it is the first that is told about. */
  #thread: string | undefined;
  readonly #requests = new Set<unknown>();
  /** The beginning of a turn. Its prompt is told right after it. */
  #begun: NativeRecord | undefined;
  #prompts = 0;

  read(message: Fields, isSent: boolean): readonly NativeRecord[] {
    if (isSent) {
      if (message.method !== undefined) this.#requests.add(message.id);
      return [...this.flush(), sent(message)];
    }
    return isAnswer(message) ? this.#readAnswer(message) : this.#readTold(message);
  }

  flush(): readonly NativeRecord[] {
    const begun = this.#begun;
    this.#begun = undefined;
    return begun ? [begun] : [];
  }

  #readAnswer(message: Fields): readonly NativeRecord[] {
    const opened = textOf(fieldsOf(fieldsOf(message.result).thread).id);
    this.#thread ??= opened;
    if (this.#requests.has(message.id)) return [...this.flush(), heard(message)];
    // What it answers was not shown, and from other answers nothing follows.
    if (opened === undefined || opened !== this.#thread) return [];
    return [...assumed(openingOf(message.id)), heard(message)];
  }

  #readTold(message: Fields): readonly NativeRecord[] {
    const { threadId, item } = fieldsOf(message.params);
    const thread = textOf(threadId);
    const opening = this.#thread === undefined && thread !== undefined ? this.#assumeThread(thread) : [];
    const isOwn = thread !== undefined && thread === this.#thread && this.#requests.size === 0;
    if (isOwn && message.method === "turn/started") {
      const before = this.flush();
      this.#begun = heard(message);
      return [...opening, ...before];
    }
    const prompt = this.#begun && fieldsOf(item).type === "userMessage" ? [this.#promptOf(item)] : [];
    return [...opening, ...prompt, ...this.flush(), heard(message)];
  }

  #assumeThread(thread: string): NativeRecord[] {
    this.#thread = thread;
    return assumed(openingOf("assumed"), heard({ id: "assumed", result: { thread: { id: thread } } }));
  }

  #promptOf(item: unknown): NativeRecord {
    this.#prompts += 1;
    const { content, clientId } = fieldsOf(item);
    const clientUserMessageId = textOf(clientId);
    const params = { threadId: this.#thread, input: content, clientUserMessageId };
    return sent({ id: `assumed-${this.#prompts}`, method: "turn/start", params });
  }
}

function isAnswer({ id, method, result, error }: Fields): boolean {
  return id !== undefined && method === undefined && (result !== undefined || error !== undefined);
}

function openingOf(id: unknown): NativeRecord {
  return sent({ id, method: "thread/start", params: {} });
}
