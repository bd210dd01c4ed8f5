/** What a caller is told when no node can do what was asked for. */
import { InterlinguaError } from "../core/error.ts";
import { fits, type PlacementNode, type SessionNeeds } from "./placement.ts";

/** The owner did not answer, and nobody has taken its sessions over in time. */
export function nodeUnreachable(session: string, cause: unknown): InterlinguaError {
  // An error of the last node that says what is wrong is better than one about silence.
  if (InterlinguaError.isInstance(cause) && cause.extras.retryAfterSeconds !== undefined) return cause;
  const detail = `The node that has session "${session}" does not answer, and no other one has taken it over yet. Try again.`;
  return new InterlinguaError("node_unreachable", detail, { cause, retryAfterSeconds: 2 });
}

/** Giving it again by ourselves could do it twice. */
export function commandOutcomeUnknown(session: string, cause: unknown): InterlinguaError {
  // It says so itself.
  if (InterlinguaError.isInstance(cause) && cause.code === "session_moved") return cause;
  const detail = `The node that has session "${session}" was lost while it did this: it may be done or not. Look at the session, then try again.`;
  return new InterlinguaError("node_unreachable", detail, { cause, retryAfterSeconds: 2 });
}

/** No node that lives can have it. */
export function noNodeFor(
  session: string,
  needs: SessionNeeds,
  nodes: readonly PlacementNode[],
): InterlinguaError {
  const { lastDaemon: _, home: _home, ...anywhere } = needs;
  const refuse = (reason: string) =>
    new InterlinguaError("node_unreachable", `Session "${session}" cannot go on now: ${reason}`, {
      retryAfterSeconds: 10,
    });
  if (!nodes.some(({ profile }) => profile?.agents.includes(needs.agent) ?? true))
    return refuse(`no node has the agent "${needs.agent}". Start one whose config has it.`);
  if (!nodes.some((node) => fits(node, anywhere)))
    return refuse(
      `no node has the agent "${needs.agent}", the directory ${needs.cwd} among its roots${labelText(needs)}. Start one that does.`,
    );
  if (nodes.some((node) => fits(node, needs)))
    return refuse("the nodes that can have it are going away. Start another one, or wait until one is back.");
  return refuse(
    `its files in ${needs.cwd} are only at the node that had it, which is gone. Start that one again, or let nodes have the directory in common.`,
  );
}

function labelText({ labels }: SessionNeeds): string {
  return labels ? ` and the labels ${JSON.stringify(labels)}` : "";
}
