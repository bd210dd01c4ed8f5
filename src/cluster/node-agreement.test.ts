import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type AgreementFacts, findDisagreement } from "./node-agreement.ts";

/** Which of them may not serve clients, and because of what. */
function refused(nodes: readonly Omit<AgreementFacts, "id" | "name">[]): Record<number, string> {
  const all = nodes.map((node, index) => ({ ...node, id: index + 1, name: `n${index + 1}` }));
  const found = all.map((self) => [
    self.id,
    findDisagreement(
      self,
      all.filter(({ id }) => id !== self.id),
    )?.about,
  ]);
  return Object.fromEntries(found.filter(([, about]) => about !== undefined));
}

const takes = (...tokens: string[]) => ({ tokens });
const ahead = (seconds: number) => ({ clockMs: 1000 * seconds });

describe("client tokens", () => {
  it("a node with another one is not ready, whether it came first or last", () => {
    expect(refused([takes("a"), takes("a"), takes("b")])).toEqual({ 3: "token" });
    expect(refused([takes("b"), takes("a"), takes("a")])).toEqual({ 1: "token" });
  });

  it("of two nodes the one that came later is not ready", () => {
    expect(refused([takes("a"), takes("b")])).toEqual({ 2: "token" });
  });

  it("that are changed node by node: those that have most are ready, at each moment one", () => {
    expect(refused([takes("old"), takes("old"), takes("new")])).toEqual({ 3: "token" });
    expect(refused([takes("old"), takes("new"), takes("new")])).toEqual({ 1: "token" });
  });

  it("where a node takes both, it is ready beside all", () => {
    expect(refused([takes("old"), takes("old"), takes("new", "old")])).toEqual({});
    expect(refused([takes("new"), takes("new", "old"), takes("new", "old")])).toEqual({});
  });

  it("of which an earlier version tells nothing are not compared", () => {
    expect(refused([{}, takes("a"), {}])).toEqual({});
  });
});

describe("clocks", () => {
  it("one that is far from the others is wrong, in either direction", () => {
    expect(refused([ahead(0), ahead(-1), ahead(300)])).toEqual({ 3: "clock" });
    expect(refused([ahead(-300), ahead(1), ahead(0)])).toEqual({ 1: "clock" });
  });

  it("that agree are right, whatever the database says", () => {
    expect(refused([ahead(900), ahead(901)])).toEqual({});
    expect(refused([ahead(900), ahead(901), ahead(0)])).toEqual({ 3: "clock" });
  });

  it("of two the one that is nearer to the database's is right", () => {
    expect(refused([ahead(300), ahead(2)])).toEqual({ 1: "clock" });
    expect(refused([ahead(2), ahead(-300)])).toEqual({ 2: "clock" });
  });

  it("that differ less than requests may are no problem", () => {
    expect(refused([ahead(20), ahead(-20)])).toEqual({});
  });
});

it("says what differs, from whom, by how much and what to do", () => {
  const other = { id: 1, name: "a", tokens: ["a"], clockMs: 0 };
  expect(findDisagreement({ id: 2, name: "b", tokens: ["b"] }, [other])?.problem).toMatch(
    /another client token than the node "a" \(number 1\).*INTERLINGUA_TOKEN or --token-file/,
  );
  expect(findDisagreement({ id: 2, name: "b", clockMs: -300_000 }, [other])?.problem).toMatch(
    /clock of this node is 300 s behind that of the node "a" \(number 1\).*Set it right/,
  );
});

it("however they differ, one of them is ready", () => {
  const facts = fc.record({
    tokens: fc.option(fc.uniqueArray(fc.constantFrom("a", "b", "c"), { minLength: 1 }), { nil: undefined }),
    clockMs: fc.constant(undefined),
  });
  fc.assert(
    fc.property(fc.array(facts, { minLength: 1, maxLength: 6 }), (nodes) => {
      expect(Object.keys(refused(nodes)).length).toBeLessThan(nodes.length);
    }),
  );
  const clocks = fc.array(fc.integer({ min: -200, max: 200 }), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(clocks, (seconds) => {
      expect(Object.keys(refused(seconds.map(ahead))).length).toBeLessThan(seconds.length);
    }),
  );
});
