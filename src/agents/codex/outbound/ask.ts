/** Requests of Codex that a person answers → asks. */
import type { AskOption } from "../../../core/ask.ts";
import type { Draft } from "../../../core/draft.ts";
import { shellCommand } from "../../../core/shell-command.ts";
import type { CodexMessageName } from "../../schemas/message-names.ts";
import type { RpcParams, RpcRequest } from "../../transport/json-rpc.ts";
import type { CodexState } from "../conversation-state.ts";
import { baseName } from "../vocabulary.ts";
import type { WireQuestion } from "../wire.ts";
import { elicitation } from "./elicitation.ts";
import { toFileChange } from "./file-change.ts";
import type { Origin } from "./origin.ts";

/** The methods a person answers. Every other request is refused, so that Codex never waits for nothing. */
const ASKS: Readonly<
  Partial<
    Record<CodexMessageName, (state: CodexState, ask: string, params: RpcParams, origin: Origin) => Draft>
  >
> = {
  "item/commandExecution/requestApproval": commandApproval,
  "item/fileChange/requestApproval": fileApproval,
  "item/permissions/requestApproval": permissionsApproval,
  "item/tool/requestUserInput": userInput,
  "mcpServer/elicitation/request": elicitation,
};

export function isAsk(method: string): boolean {
  return Object.hasOwn(ASKS, method);
}

export function openAsk(state: CodexState, request: RpcRequest, origin: Origin): Draft | undefined {
  return ASKS[request.method as CodexMessageName]?.(state, String(request.id), request.params, origin);
}

const ALLOW: AskOption = { id: "accept", label: "Allow", effect: "once" };
const ALLOW_FOR_SESSION: AskOption = {
  id: "acceptForSession",
  label: "Allow for this session",
  effect: "always",
  storedIn: "session",
};
const DECLINE: AskOption = { id: "decline", label: "Decline", effect: "reject" };
const CANCEL: AskOption = { id: "cancel", label: "Decline and stop", effect: "reject", stops: true };

function commandApproval(_state: CodexState, ask: string, params: RpcParams, origin: Origin): Draft {
  const { itemId, command, kind, proposedExecpolicyAmendment: amendment } = params;
  const shown = typeof command === "string" ? shellCommand(command) : "a command";
  const always: AskOption[] = Array.isArray(amendment)
    ? [
        {
          id: "acceptWithExecpolicyAmendment",
          label: "Always allow",
          effect: "always",
          covers: [amendment.join(" ")],
          storedIn: "$CODEX_HOME/rules/default.rules",
        },
      ]
    : [];
  return {
    type: "ask.opened",
    ask,
    kind: "permission",
    ...callOf(itemId),
    title: kind === "writeStdin" ? `Write to ${shown}` : `Run ${shown}`,
    ...describe(params.reason),
    ...(params.networkApprovalContext != null && { detail: { network: params.networkApprovalContext } }),
    options: [ALLOW, ALLOW_FOR_SESSION, ...always, DECLINE, CANCEL],
    ...origin,
  };
}

/** The request has no diff: it is that of the item. */
function fileApproval(state: CodexState, ask: string, params: RpcParams, origin: Origin): Draft {
  const { itemId, grantRoot } = params;
  const changes = state.changes.get(String(itemId)) ?? [];
  const files = changes.map(({ path }) => baseName(path)).join(", ");
  return {
    type: "ask.opened",
    ask,
    kind: "permission",
    ...callOf(itemId),
    title: `Change ${files || "files"}`,
    ...describe(params.reason),
    ...(changes.length > 0 && { changes: changes.map(toFileChange) }),
    ...(typeof grantRoot === "string" && { detail: { grantRoot } }),
    options: [ALLOW, ALLOW_FOR_SESSION, DECLINE, CANCEL],
    ...origin,
  };
}

/** The model wants to be allowed more than its sandbox does. */
function permissionsApproval(_state: CodexState, ask: string, params: RpcParams, origin: Origin): Draft {
  return {
    type: "ask.opened",
    ask,
    kind: "permission",
    title: "Grant further permissions",
    ...describe(params.reason),
    detail: { permissions: params.permissions },
    options: [{ ...ALLOW, label: "Allow for this turn" }, ALLOW_FOR_SESSION, DECLINE],
    ...origin,
  };
}

function userInput(_state: CodexState, ask: string, { questions }: RpcParams, origin: Origin): Draft {
  const asked = (Array.isArray(questions) ? questions : []) as WireQuestion[];
  return {
    type: "ask.opened",
    ask,
    kind: "question",
    title: asked[0]?.question ?? "Codex has a question",
    options: [],
    questions: asked.map(({ id, header, question, options, isOther, isSecret }) => ({
      id,
      text: question,
      header,
      options: options?.slice(),
      free: isOther,
      ...(isSecret && { secret: true }),
    })),
    ...origin,
  };
}

function callOf(item: unknown): { call?: string } {
  return typeof item === "string" ? { call: item } : {};
}

function describe(reason: unknown): { description?: string } {
  return typeof reason === "string" ? { description: reason } : {};
}
