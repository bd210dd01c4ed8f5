import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { Sealer } from "./sealer.ts";

test("thousands of tails that an earlier daemon left do not hold up the event loop: one is packed in each turn", async () => {
  const sealed: number[] = [];
  const sealer = new Sealer(
    {
      seal: async (session) => {
        sealed.push(session);
      },
      findLeftovers: () => Array.from({ length: 100 }, (_, index) => index),
    },
    { sealDelayMs: 0 },
  );
  await sealer.requestLeftovers();
  let most = 0;
  while (sealed.length < 100) {
    const before = sealed.length;
    await setImmediate();
    most = Math.max(most, sealed.length - before);
  }
  expect(most).toBe(1);
});

test("a sealer with nothing to pack can be finished again and again, and packs what comes later", async () => {
  const sealed: number[] = [];
  const packer = { seal: async (session: number) => void sealed.push(session), findLeftovers: () => [] };
  const sealer = new Sealer(packer);
  await sealer.finish();
  await sealer.finish();
  sealer.request(7);
  await sealer.finish();
  expect(sealed).toEqual([7]);
});
