import { expect, it } from "vitest";
import { AgentPlaces } from "./agent-places.ts";

const wait = () => new Promise((resolve) => setImmediate(resolve));

it("gives a free place to the next in line when the first one has stopped waiting", async () => {
  const places = new AgentPlaces(1);
  await places.take(new AbortController().signal);
  const impatient = new AbortController();
  const first = places.take(impatient.signal);
  const second = places.take(new AbortController().signal);
  impatient.abort(new Error("stopped"));
  await expect(first).rejects.toThrow("stopped");

  places.release();

  await second;
  expect(places.taken).toBe(1);
});

it("takes back a place from somebody who stopped waiting in the moment of getting it", async () => {
  const places = new AgentPlaces(1);
  await places.take(new AbortController().signal);
  const impatient = new AbortController();
  const first = places.take(impatient.signal);
  places.release();
  impatient.abort(new Error("stopped"));

  await expect(first).rejects.toThrow("stopped");

  expect(places.taken).toBe(0);
  await places.take(new AbortController().signal);
});

it("serves in the order of coming, and never more than there are places", async () => {
  const places = new AgentPlaces(2);
  const served: number[] = [];
  const takers = [0, 1, 2, 3].map(async (number) => {
    await places.take(new AbortController().signal);
    served.push(number);
  });
  await wait();
  expect(served).toEqual([0, 1]);
  expect(places.taken).toBe(2);
  places.release();
  places.release();
  await Promise.all(takers);
  expect(served).toEqual([0, 1, 2, 3]);
  expect(places.taken).toBe(2);
});

it("asks for room once all places are taken", async () => {
  const places = new AgentPlaces(1);
  await places.take(new AbortController().signal);
  places.makeRoom = () => places.release();
  await places.take(new AbortController().signal);
  expect(places.taken).toBe(1);
});
