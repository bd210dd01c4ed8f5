import { expect, test } from "vitest";
import { createMessageChannel } from "./create-message-channel.ts";

test("what is pushed before and while it is read arrives in order", async () => {
  const channel = createMessageChannel<number>();
  channel.push(1);
  channel.push(2);
  expect(channel.size).toBe(2);
  const read = readAll(channel);
  await Promise.resolve();
  channel.push(3);
  channel.close();
  channel.close();
  channel.push(4);
  expect(await read).toEqual([1, 2, 3]);
});

test("a reader that waits is told of the end", async () => {
  const channel = createMessageChannel();
  const next = channel[Symbol.asyncIterator]().next();
  channel.close();
  expect(await next).toEqual({ value: undefined, done: true });
});

test("many values that wait keep their order", async () => {
  const channel = createMessageChannel<number>();
  const values = Array.from({ length: 5000 }, (_, at) => at);
  for (const value of values) channel.push(value);
  channel.close();
  expect(await readAll(channel)).toEqual(values);
});

test("whoever breaks off a loop frees what waits", async () => {
  const channel = createMessageChannel<number>();
  channel.push(1);
  channel.push(2);
  for await (const _ of channel) break;
  expect(channel.size).toBe(0);
  channel.push(3);
  expect(await readAll(channel)).toEqual([]);
});

async function readAll<Value>(source: AsyncIterable<Value>): Promise<Value[]> {
  const values: Value[] = [];
  for await (const value of source) values.push(value);
  return values;
}
