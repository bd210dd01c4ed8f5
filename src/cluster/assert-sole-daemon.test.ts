import { expect, it } from "vitest";
import { assertSoleDaemon } from "./assert-sole-daemon.ts";
import type { NodeBeat } from "./observed-beats.ts";

const OPTIONS = { times: { beatMs: 4, freezeMs: 40, deadMs: 60, reconcileMs: 60 }, data: "/data" };

/** What is found at each look; the last one from then on. */
function table(...found: NodeBeat[][]) {
  let looks = 0;
  return {
    looks: () => looks,
    findNamesakes: async () => found[Math.min(looks++, found.length - 1)]!,
  };
}

it("nobody else has the id: it waits for nothing", async () => {
  const empty = table([]);
  await assertSoleDaemon(empty, OPTIONS);
  expect(empty.looks()).toBe(1);
});

it("a namesake that beats is another daemon on a copy, and the refusal says what to do", async () => {
  const living = table([{ id: 7, beat: 1 }], [{ id: 7, beat: 1 }], [{ id: 7, beat: 2 }]);
  await expect(assertSoleDaemon(living, OPTIONS)).rejects.toThrow(
    /^The data directory \/data has the id of a node that works elsewhere .number 7.*delete \/data\/daemon-id/,
  );
});

it("one that joins meanwhile lives", async () => {
  const joined = table([{ id: 7, beat: 1 }], [{ id: 8, beat: 0 }]);
  await expect(assertSoleDaemon(joined, OPTIONS)).rejects.toThrow("number 8");
});

it("one whose beat stands still, or that is declared dead meanwhile, is gone", async () => {
  await assertSoleDaemon(table([{ id: 7, beat: 1 }]), OPTIONS);
  await assertSoleDaemon(table([{ id: 7, beat: 1 }], []), OPTIONS);
});
