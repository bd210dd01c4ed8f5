/**
 * Whether nodes can serve the same clients, and call each other: they need a client token in common, and clocks that agree.
 * When nodes disagree, the smaller group is wrong. Pure.
 */
import { MAX_CLOCK_DIFFERENCE_MS } from "./peers/request-checker.ts";

/** Each node tells the others this about itself. */
export interface AgreementFacts {
  id: number;
  name: string | null;
  /** Digests of the client tokens that it takes. A node of an earlier version tells none. */
  tokens?: readonly string[];
  /** How far its clock is ahead of the database's, once it was measured. */
  clockMs?: number;
}

export interface Disagreement {
  about: "token" | "clock";
  /** The cause and the remedy. */
  problem: string;
}

/** Requests still arrive then: clocks drift, and each is measured within a second or so. */
const MAX_DIFFERENCE_MS = MAX_CLOCK_DIFFERENCE_MS - 10_000;

/**
 * Undefined where this node may serve clients. However tokens or clocks differ, one node is left.
 *
 * @param others Nodes that live and take sessions.
 */
export function findDisagreement(
  self: AgreementFacts,
  others: readonly AgreementFacts[],
): Disagreement | undefined {
  const clock = outvotedBy(self, others, { agree: haveSameTime, isPreferred: isNearerToDatabase });
  if (clock) return { about: "clock", problem: clockProblem(self, clock) };
  const token = outvotedBy(self, others, { agree: shareToken, isPreferred: isOlder });
  if (token) return { about: "token", problem: tokenProblem(token) };
  return undefined;
}

interface Rule {
  agree(one: AgreementFacts, other: AgreementFacts): boolean;
  /** Decides between two nodes with equally many votes. */
  isPreferred(one: AgreementFacts, other: AgreementFacts): boolean;
}

/** A node that this one disagrees with and that has more votes. */
function outvotedBy(
  self: AgreementFacts,
  others: readonly AgreementFacts[],
  { agree, isPreferred }: Rule,
): AgreementFacts | undefined {
  const all = [self, ...others];
  const votes = (node: AgreementFacts) => all.filter((each) => agree(node, each)).length;
  const own = votes(self);
  return others.find((other) => {
    if (agree(self, other)) return false;
    const theirs = votes(other);
    return theirs > own || (theirs === own && isPreferred(other, self));
  });
}

function shareToken({ tokens }: AgreementFacts, other: AgreementFacts): boolean {
  if (!tokens || !other.tokens) return true;
  return tokens.some((token) => other.tokens!.includes(token));
}

function isOlder(one: AgreementFacts, other: AgreementFacts): boolean {
  return one.id < other.id;
}

/** The database's own clock is in both, so it does not matter. */
function haveSameTime({ clockMs }: AgreementFacts, other: AgreementFacts): boolean {
  if (clockMs === undefined || other.clockMs === undefined) return true;
  return Math.abs(clockMs - other.clockMs) <= MAX_DIFFERENCE_MS;
}

function isNearerToDatabase(one: AgreementFacts, other: AgreementFacts): boolean {
  const [near, far] = [Math.abs(one.clockMs ?? 0), Math.abs(other.clockMs ?? 0)];
  return near < far || (near === far && isOlder(one, other));
}

function tokenProblem({ name, id }: AgreementFacts): string {
  return (
    `This node takes another client token than the node "${name}" (number ${id}): clients that one of them takes are refused ` +
    "by the other. Start it with the token of the others, in INTERLINGUA_TOKEN or --token-file."
  );
}

function clockProblem(self: AgreementFacts, { name, id, clockMs }: AgreementFacts): string {
  const seconds = Math.round((self.clockMs! - clockMs!) / 1000);
  const differs = seconds > 0 ? `${seconds} s ahead of` : `${-seconds} s behind`;
  return (
    `The clock of this node is ${differs} that of the node "${name}" (number ${id}), so they refuse each other's requests. ` +
    "Set it right. Until then this node takes no sessions."
  );
}
