/** Commands → requests to the server. Pure. */
import type { ConnectOptions } from "../../core/adapter.ts";
import type { Command, CommandOf } from "../../core/command.ts";
import { InterlinguaError } from "../../core/error.ts";
import type { Encoder } from "../transport/translator.ts";
import type { OpenCodeState } from "./conversation-state.ts";
import { choiceLine, requestLines } from "./inbound/lines.ts";
import { openingStep } from "./inbound/opening.ts";
import { promptRequest } from "./inbound/prompt.ts";
import { replyRequest } from "./inbound/reply.ts";
import { permissionRules } from "./manifest.ts";
import type { OpenCodeOptions } from "./options.ts";

export function createInbound(connect: ConnectOptions, options: OpenCodeOptions): Encoder<OpenCodeState> {
  return {
    open: (state) => openingStep(state, connect),
    encode: (state, command) => encode(state, command, options),
    unansweredChanges: ({ requests }) =>
      [...requests].filter(([, { method }]) => method === "PATCH").map(([id]) => id),
    answer: questionsAfterGap,
    shutDown(state) {
      const { turn, session } = state;
      if (!turn.isRunning || session === undefined) return { step: "done" };
      if (turn.isStopping) return { step: state.requests.size > 0 ? "wait" : "done" };
      // The server goes on for other sessions; the turn of this one must not.
      return { step: "send", lines: abort(state, session) };
    },
  };
}

function encode(state: OpenCodeState, command: Command, options: OpenCodeOptions): readonly string[] {
  const session = state.session!;
  switch (command.type) {
    case "prompt":
      return requestLines(state, [promptRequest(state, session, command, options)]);
    case "interrupt":
      return abort(state, session);
    case "reply":
      return requestLines(state, [replyRequest(state, command)]);
    case "configure":
      return configure(state, session, command);
    case "rewind":
      return requestLines(state, [revert(state, session, command.before)]);
    case "stopTask":
      throw new InterlinguaError("unsupported", "OpenCode has no tasks that could be ended one by one.");
  }
}

function abort(state: OpenCodeState, session: string): readonly string[] {
  return requestLines(state, [{ method: "POST", path: `/session/${session}/abort`, body: {} }]);
}

/** Model and agent are named by each prompt; what is allowed is kept by the server. */
function configure(
  state: OpenCodeState,
  session: string,
  { model, mode, permissionMode, settings }: CommandOf<"configure">,
): readonly string[] {
  if (settings) throw new InterlinguaError("unsupported", "OpenCode has no further settings.");
  assertOffered("model", model, state.catalog.models);
  assertOffered("mode", mode, state.catalog.modes);
  const rules = permissionMode === undefined ? undefined : permissionRules(permissionMode);
  return [
    ...(model === undefined && mode === undefined ? [] : [choiceLine({ model, agent: mode })]),
    ...(rules
      ? requestLines(state, [{ method: "PATCH", path: `/session/${session}`, body: { permission: rules } }])
      : []),
  ];
}

export function assertOffered(
  what: "model" | "mode",
  wanted: string | undefined,
  offered: readonly { readonly id: string }[] = [],
): void {
  if (wanted === undefined || offered.some(({ id }) => id === wanted)) return;
  const names = offered.map(({ id }) => id).join(", ") || "none";
  const remedy =
    what === "model" ? " A model of another provider can be set while the agent does not run." : "";
  throw new InterlinguaError(
    "unsupported",
    `OpenCode does not offer the ${what} "${wanted}" here; it offers ${names}.${remedy}`,
  );
}

/** The server also puts the files back as they were before that message. */
function revert({ users }: OpenCodeState, session: string, before: string) {
  const messageID = [...users].find(([, message]) => message === before)?.[0];
  if (messageID === undefined) {
    throw new InterlinguaError(
      "unsupported",
      "OpenCode does not know the message any more; it cannot go back to it.",
    );
  }
  return { method: "POST" as const, path: `/session/${session}/revert`, body: { messageID }, before };
}

/** One at a time: the last answer, whether the session is busy, must refer to everything heard before. */
function questionsAfterGap(state: OpenCodeState): readonly string[] {
  const [next] = state.missed;
  if (next === undefined || state.session === undefined) return [];
  const path = next === "message" ? `/session/${state.session}/message` : `/${next}`;
  const isAsked = [...state.requests.values()].some((request) => request.path === path);
  return isAsked ? [] : requestLines(state, [{ method: "GET", path }]);
}
