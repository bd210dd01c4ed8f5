import { expect, it } from "vitest";
import { AgentSlots } from "./agent-slots.ts";

const wait = () => new Promise((resolve) => setImmediate(resolve));

it("gives a free place to the next in line when the first one has stopped waiting", async () => {
  const slots = new AgentSlots(1);
  await slots.take(new AbortController().signal);
  const impatient = new AbortController();
  const first = slots.take(impatient.signal);
  const second = slots.take(new AbortController().signal);
  impatient.abort(new Error("stopped"));
  await expect(first).rejects.toThrow("stopped");

  slots.release();

  await second;
  expect(slots.taken).toBe(1);
});

it("takes back a place from somebody who stopped waiting in the moment of getting it", async () => {
  const slots = new AgentSlots(1);
  await slots.take(new AbortController().signal);
  const impatient = new AbortController();
  const first = slots.take(impatient.signal);
  slots.release();
  impatient.abort(new Error("stopped"));

  await expect(first).rejects.toThrow("stopped");

  expect(slots.taken).toBe(0);
  await slots.take(new AbortController().signal);
});

it("serves in the order of coming, and never more than there are slots", async () => {
  const slots = new AgentSlots(2);
  const served: number[] = [];
  const takers = [0, 1, 2, 3].map(async (number) => {
    await slots.take(new AbortController().signal);
    served.push(number);
  });
  await wait();
  expect(served).toEqual([0, 1]);
  expect(slots.taken).toBe(2);
  slots.release();
  slots.release();
  await Promise.all(takers);
  expect(served).toEqual([0, 1, 2, 3]);
  expect(slots.taken).toBe(2);
});

it("asks for room once all slots are taken", async () => {
  const slots = new AgentSlots(1);
  await slots.take(new AbortController().signal);
  slots.makeRoom = () => slots.release();
  await slots.take(new AbortController().signal);
  expect(slots.taken).toBe(1);
});
