import fc from "fast-check";
import { expect, test } from "vitest";
import { arrangeForks } from "./fork-tree.ts";
import { listedSession } from "./listed-session.test-support.ts";

test("every session is there once, below its origin, and those of one origin keep their order", () => {
  // Each begins as a copy of an earlier one, of one that is not listed, or of none.
  const histories = fc.array(fc.option(fc.nat({ max: 30 })), { maxLength: 30 });
  fc.assert(
    fc.property(histories, fc.integer(), (origins, seed) => {
      const made = origins.map((origin, n) =>
        listedSession(
          `s${n}`,
          origin === null ? {} : { forkedFrom: { session: `s${origin < n ? origin : 99}` } },
        ),
      );
      const listed = made.toSorted((a, b) => mixed(a.session, seed) - mixed(b.session, seed));
      const rows = arrangeForks(listed);
      expect(rows.map(({ session }) => session.session).sort()).toEqual(
        made.map((one) => one.session).sort(),
      );
      for (const [at, { session, depth }] of rows.entries()) {
        const origin = session.forkedFrom?.session;
        const above = rows.slice(0, at).findLast((row) => row.depth < depth);
        if (origin === undefined || origin === "s99") expect(depth).toBe(0);
        else expect([above?.session.session, above && above.depth + 1]).toEqual([origin, depth]);
      }
      const siblings = Map.groupBy(rows, ({ session, depth }) =>
        depth === 0 ? "" : session.forkedFrom!.session,
      );
      for (const [, of] of siblings) {
        const places = of.map(({ session }) => listed.indexOf(session));
        expect(places).toEqual(places.toSorted((a, b) => a - b));
      }
    }),
  );
});

function mixed(id: string, seed: number): number {
  return (Number(id.slice(1)) * 7919 + seed) % 101;
}

test("a long line of forks does not end the page", () => {
  const line = Array.from({ length: 20_000 }, (_, n) =>
    listedSession(`s${n}`, n > 0 ? { forkedFrom: { session: `s${n - 1}` } } : {}),
  );
  expect(arrangeForks(line).at(-1)?.depth).toBe(19_999);
});
