/** A queue that is read as an async iterable: what a session makes its `messages` of. */
import type { UnifiedMessage } from "./unified-message.ts";

/** One writer, one reader. */
export interface UnifiedMessageChannel<Value = UnifiedMessage> extends AsyncIterable<Value> {
  /** Does nothing once the channel is closed. */
  push(value: Value): void;
  /** What was pushed before is still read; then the iterable ends. Idempotent. */
  close(): void;
  /** How many values wait to be read. */
  readonly size: number;
}

/**
 * What is pushed waits until it is read. Breaking off a loop over it closes it.
 *
 * @example
 * const channel = createMessageChannel<string>();
 * channel.push("first");
 * channel.close();
 * for await (const message of channel) console.log(message);
 */
export function createMessageChannel<Value = UnifiedMessage>(): UnifiedMessageChannel<Value> {
  let waiting: Value[] = [];
  /** How many of `waiting` are read: shifting a long list costs its length. */
  let read = 0;
  let isClosed = false;
  const readers: ((result: IteratorResult<Value, undefined>) => void)[] = [];
  const END = { value: undefined, done: true } as const;

  const close = (): void => {
    isClosed = true;
    for (const resolve of readers.splice(0)) resolve(END);
  };
  const take = (): Value => {
    const value = waiting[read]!;
    read += 1;
    if (read === waiting.length || read > 1000) {
      waiting = waiting.slice(read);
      read = 0;
    }
    return value;
  };
  const next = async (): Promise<IteratorResult<Value, undefined>> => {
    if (waiting.length > read) return { value: take(), done: false };
    if (isClosed) return END;
    return new Promise((resolve) => readers.push(resolve));
  };
  const finish = async (): Promise<IteratorResult<Value, undefined>> => {
    close();
    waiting = [];
    read = 0;
    return END;
  };

  return {
    push(value) {
      if (isClosed) return;
      const reader = readers.shift();
      if (reader) reader({ value, done: false });
      else waiting.push(value);
    },
    close,
    get size() {
      return waiting.length - read;
    },
    [Symbol.asyncIterator]: () => ({ next, return: finish }),
  };
}
