import { expect, it } from "vitest";
import { assertSameSecret, assertSameSecretSince, type OtherNode } from "./assert-same-secret.ts";

const OPTIONS = {
  times: { beatMs: 4, freezeMs: 40, deadMs: 60, reconcileMs: 60 },
  hasOurSecret: ({ proof }: { proof?: string }) => proof === "ours",
};

function other(id: number, beat: number, proof = "theirs"): OtherNode {
  return { id, beat, proof, name: `node-${id}` };
}

/** What is found at each look; the last one from then on. */
function table(...found: OtherNode[][]) {
  let looks = 0;
  return { looks: () => looks, readOthers: async () => found[Math.min(looks++, found.length - 1)]! };
}

it("where nobody lives, or all have our secret, it waits for nothing", async () => {
  for (const others of [[], [other(1, 1, "ours"), other(2, 1, "ours")]]) {
    const looked = table(others);
    expect(await assertSameSecret(looked, OPTIONS)).toEqual(new Set());
    expect(looked.looks()).toBe(1);
  }
});

it("a living node with another secret: the refusal names it and says what to do", async () => {
  const living = table([other(1, 1, "ours"), other(2, 1)], [other(1, 2, "ours"), other(2, 2)]);
  await expect(assertSameSecret(living, OPTIONS)).rejects.toThrow(
    /"node-2" .number 2. .* has another cluster secret.* INTERLINGUA_CLUSTER_SECRET; .*stop all nodes/,
  );
});

it("one that was killed does not count, however long its row stays", async () => {
  const killed = table([other(2, 1)]);
  const waits: number[] = [];
  const onWait = (milliseconds: number) => void waits.push(milliseconds);
  const dead = await assertSameSecret(killed, { ...OPTIONS, onWait });
  expect([dead, waits]).toEqual([new Set([2]), [OPTIONS.times.freezeMs]]);
  await assertSameSecretSince(killed, { ...OPTIONS, node: 3, dead });
});

it("of two that join at the same time the later one is refused", async () => {
  const dead = new Set<number>();
  const both = table([other(5, 0)]);
  await expect(assertSameSecretSince(both, { ...OPTIONS, node: 6, dead })).rejects.toThrow("number 5");
  await assertSameSecretSince(both, { ...OPTIONS, node: 4, dead });
});
