/** What a caller is told when no node can do what was asked for. */
import { InterlinguaError } from "../core/error.ts";
import type { NodeAddress } from "../core/ownership.ts";
import { agentNotFound, filesElsewhere } from "../protocol/refusals.ts";
import { fits, hasFilesOf, homeOf, type PlacementNode, type SessionNeeds } from "./placement.ts";

/** The owner did not answer, and nobody has taken its sessions over in time. */
export function nodeUnreachable(session: string, cause: unknown): InterlinguaError {
  // An error of the last node that says what is wrong is better than one about silence.
  if (InterlinguaError.isInstance(cause) && cause.extras.retryAfterSeconds !== undefined) return cause;
  const detail = `The node that has session "${session}" does not answer, and no other one has taken it over yet. Try again.`;
  return new InterlinguaError("node_unreachable", detail, { cause, retryAfterSeconds: 2 });
}

/**
 * Giving it again by ourselves could do it twice, or was in vain.
 *
 * @param id With which it can be given again and is done once.
 */
export function commandOutcomeUnknown(session: string, cause: unknown, id?: string): InterlinguaError {
  // It says so itself.
  if (InterlinguaError.isInstance(cause) && cause.code === "session_moved") return cause;
  const remedy =
    id === undefined ? "then try again." : `or send it again with the id "${id}": it is done once.`;
  const detail = `The node that has session "${session}" was lost while it did this: it may be done or not. Look at the session, ${remedy}`;
  return new InterlinguaError("node_unreachable", detail, { cause, retryAfterSeconds: 2 });
}

/** Nobody who runs may work there. */
export function outsideAllRoots(path: string, nodes: readonly PlacementNode[]): InterlinguaError {
  const roots = new Set(nodes.flatMap(({ profile }) => profile?.roots ?? []).map((root) => root.path));
  const detail = `"${path}" lies outside the directories that the nodes which run may work in: ${[...roots].join(", ")}. Start the node that has it, or start one that has it with --root DIRECTORY.`;
  return new InterlinguaError("outside_roots", detail);
}

/** A root for it at the node of the session would have other files. */
export function forkElsewhere(session: string, path: string): InterlinguaError {
  const detail = `"${path}" is at another node than session "${session}", and a fork is made where its session is. Name a directory of that node.`;
  return new InterlinguaError("outside_roots", detail);
}

/** The node that has the directory did not answer. */
export function directoryUnreachable(path: string, { name }: NodeAddress, cause: unknown): InterlinguaError {
  const detail = `"${path}" is at the node "${name}", which does not answer. Try again.`;
  return new InterlinguaError("node_unreachable", detail, { cause, retryAfterSeconds: 2 });
}

/** No node that lives can have it. */
export function noNodeFor(
  session: string,
  needs: SessionNeeds,
  nodes: readonly PlacementNode[],
): InterlinguaError {
  const refuse = (reason: string) =>
    new InterlinguaError("node_unreachable", `Session "${session}" cannot go on now: ${reason}`, {
      retryAfterSeconds: 10,
    });
  if (nodes.some((node) => fits(node, needs)))
    return refuse("the nodes that can have it are going away. Start another one, or wait until one is back.");
  // Before anything about roots: a root for it at another node would have other files.
  const home = homeOf(needs);
  const isHomeGone = home !== undefined && !nodes.some(({ daemon }) => daemon === home);
  if (isHomeGone && !nodes.some((node) => hasFilesOf(node, needs)))
    return filesElsewhere(session, needs.homeName ?? "unknown");
  if (!nodes.some(({ profile }) => profile?.agents.includes(needs.agent) ?? true)) {
    // Nothing waits for such an agent: as likely as not its name is mistyped.
    if (needs.format === 0) return agentNotFound(needs.agent, agentsOf(nodes));
    return refuse(`no node has the agent "${needs.agent}". Start one whose config has it.`);
  }
  return refuse(
    `no node has the agent "${needs.agent}", the directory ${needs.cwd} among its roots${labelText(needs)}. Start one that does.`,
  );
}

function agentsOf(nodes: readonly PlacementNode[]): string[] {
  return [...new Set(nodes.flatMap(({ profile }) => profile?.agents ?? []))].sort();
}

function labelText({ labels }: SessionNeeds): string {
  return labels ? ` and the labels ${JSON.stringify(labels)}` : "";
}
