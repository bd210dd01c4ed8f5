/**
 * What each role may do: the one table that routes, commands and reads of every client protocol are checked against.
 * What is not in it is refused. docs/reference/rights.md is made from it.
 */
import type { BuiltInName } from "./built-in-names.ts";

/** From the least to the most. Each may do what the ones before it may. */
export const ROLES = ["observer", "participant", "operator", "owner"] as const;
export type Role = (typeof ROLES)[number];

export interface RightDefinition {
  /** The least role that has it. */
  readonly role: Role;
  /** What it lets people do, for docs and refusals: "… needs the role operator." */
  readonly text: string;
  /** Where a request may turn out to need more: what, for refusals. */
  readonly more?: string;
  /** It is about the whole daemon, so a token for certain sessions or agents never has it. */
  readonly isGlobal?: true;
}

export const RIGHTS = {
  "service.read": { role: "observer", text: "seeing which agents there are, and one's own rights" },
  "session.read": { role: "observer", text: "reading sessions, their events, messages, files and usage" },
  "session.prompt": { role: "participant", text: "sending prompts" },
  "session.unasked": {
    role: "operator",
    text: "prompting an agent that does not ask before it acts, or is not known to",
  },
  "queue.own": {
    role: "participant",
    text: "changing, moving, sending and withdrawing one's own waiting prompts",
  },
  "ask.question": {
    role: "participant",
    text: "answering questions of an agent",
    more: "permissions and plans need the role operator",
  },
  "queue.any": { role: "operator", text: "changing, overtaking and withdrawing waiting prompts of others" },
  "ask.permission": { role: "operator", text: "answering an agent that asks for a permission" },
  "ask.plan": { role: "operator", text: "approving a plan" },
  "session.create": { role: "operator", text: "making sessions" },
  "session.attach": { role: "operator", text: "starting an agent without a prompt" },
  "session.fork": { role: "operator", text: "forking sessions" },
  "session.close": { role: "operator", text: "closing sessions" },
  "session.stop": { role: "operator", text: "stopping a turn, or a task in the background" },
  "session.settings": { role: "operator", text: "changing title, model, modes and settings" },
  "session.rewrite": { role: "operator", text: "editing, repeating and taking back what was said" },
  "session.restore": { role: "operator", text: "restoring and approving files" },
  "session.bypass": { role: "owner", text: "letting an agent do everything without asking" },
  "session.program": { role: "owner", text: "choosing env, mcpServers, options and install of a session" },
  "session.roots": {
    role: "owner",
    text: "making a session outside the roots, where that was opened for it",
  },
  "session.raw": { role: "owner", text: "reading raw records" },
  "session.delete": { role: "owner", text: "deleting sessions" },
  "session.invite": { role: "owner", text: "inviting people to a session" },
  "agent.install": { role: "owner", text: "installing agents", isGlobal: true },
  "service.operate": {
    role: "owner",
    text: "reading metrics, nodes and the space of checkpoints",
    isGlobal: true,
  },
  "token.manage": { role: "owner", text: "making, listing and revoking tokens", isGlobal: true },
  "audit.read": { role: "owner", text: "reading who did what", isGlobal: true },
} as const satisfies Readonly<Record<string, RightDefinition>>;

export type Right = keyof typeof RIGHTS;

/** What it takes to answer an ask of this kind. */
export function answerRight(kind: string): Right {
  const right = `ask.${kind}`;
  return Object.hasOwn(RIGHTS, right) ? (right as Right) : "ask.permission";
}

/** Who holds a token, and what it is for. */
export type Access = AccessLimits & (TokenAccess | BuiltInAccess);

interface TokenAccess {
  /** The id of the token. */
  readonly token: string;
  /** The name of the token, as logs show it. */
  readonly name: string;
}

interface BuiltInAccess {
  readonly token?: undefined;
  readonly name: BuiltInName;
}

interface AccessLimits {
  readonly role: Role;
  /** The only sessions it is for, by id; all when absent. */
  readonly sessions?: readonly string[];
  /** The only agents it is for; all when absent. */
  readonly agents?: readonly string[];
  /** Milliseconds since the epoch. */
  readonly expiresAt?: number;
}

/** Whether it is for everything: nothing is refused to it and nothing left out. */
export function isUnlimited({ role, sessions, agents }: Access): boolean {
  return role === "owner" && !sessions && !agents;
}

/** Whoever holds the token of the daemon. */
export const OWNER: Access = { name: "owner", role: "owner" };

/** Whether a role has a right, and the token is not limited to sessions where the right is about the daemon. */
export function hasRight(access: Pick<Access, "role" | "sessions" | "agents">, right: Right): boolean {
  const { role, isGlobal }: RightDefinition = RIGHTS[right];
  if (isGlobal && (access.sessions || access.agents)) return false;
  return ROLES.indexOf(access.role) >= ROLES.indexOf(role);
}
