/** Our requests to Codex → the commands they carried: the inverse of inbound.ts. Pure. */
import { pathToFileURL } from "node:url";
import type { Command, CommandOf } from "../../core/command.ts";
import type { PromptPart } from "../../core/prompt-part.ts";
import { type RpcParams, type RpcRequest, readMessage } from "../transport/json-rpc.ts";
import { parseLine } from "../transport/line-text.ts";
import type { Recall } from "../transport/translator.ts";
import type { CodexState } from "./conversation-state.ts";
import { approvalOf } from "./outbound/elicitation.ts";
import { permissionModeOf } from "./vocabulary.ts";
import type { WireCollaborationMode, WireInput, WireSandbox } from "./wire.ts";

export const recall: Recall<CodexState> = (state, { direction, data }) => {
  if (direction !== "out" || typeof data !== "string") return [];
  const line = parseLine(data);
  if (line.kind !== "message") return [];
  const message = readMessage(line.message);
  if (message.kind === "result") {
    const asked = state.rpc.asked.get(String(message.id));
    return asked ? [toReply(asked, (message.result ?? {}) as RpcParams)] : [];
  }
  if (message.kind !== "request" || message.params.threadId !== state.thread) return [];
  return toCommands(state, message);
};

function toCommands(state: CodexState, { method, params }: RpcRequest): readonly Command[] {
  switch (method) {
    case "turn/start":
      return [toPrompt(params)];
    case "turn/steer":
      return [{ ...toPrompt(params), steer: true }];
    case "turn/interrupt":
      return [{ type: "interrupt" }];
    case "thread/settings/update":
      return toConfigure(params);
    case "thread/revert": {
      const { rewinding, turnOf } = state;
      const [known] = [...turnOf].find(([, turn]) => turn === params.beforeTurnId) ?? [];
      const before = rewinding?.turn === params.beforeTurnId ? rewinding?.before : known;
      return before === undefined ? [] : [{ type: "rewind", before }];
    }
    default:
      return [];
  }
}

function toPrompt({ clientUserMessageId: id, input }: RpcParams): CommandOf<"prompt"> {
  const parts = (input as WireInput[] | undefined)?.flatMap(toPart) ?? [];
  return { type: "prompt", message: typeof id === "string" ? id : "", parts };
}

function toPart(input: WireInput): PromptPart[] {
  switch (input.type) {
    case "text":
      return [{ type: "text", text: input.text }];
    case "image":
      return [
        { type: "file", url: input.url, mediaType: /^data:([^;,]+)/.exec(input.url)?.[1] ?? "image/*" },
      ];
    case "localImage":
      return [{ type: "file", url: pathToFileURL(input.path).href, mediaType: "image/*" }];
    default:
      return [];
  }
}

function toConfigure({
  model,
  collaborationMode,
  approvalPolicy,
  sandboxPolicy,
}: RpcParams): readonly Command[] {
  const mode = (collaborationMode as WireCollaborationMode | null | undefined)?.mode;
  const sandbox = sandboxPolicy as WireSandbox | null | undefined;
  const permissionMode = sandbox ? permissionModeOf(approvalPolicy, sandbox, mode) : undefined;
  return [
    {
      type: "configure",
      ...(typeof model === "string" && { model }),
      ...(mode !== undefined && { mode }),
      ...(permissionMode !== undefined && { permissionMode }),
    },
  ];
}

function toReply({ id, method, params }: RpcRequest, result: RpcParams): CommandOf<"reply"> {
  const reply = { type: "reply" as const, ask: String(id) };
  switch (method) {
    case "item/tool/requestUserInput": {
      const given = Object.entries((result.answers ?? {}) as Record<string, { answers: string[] }>);
      return { ...reply, answers: Object.fromEntries(given.map(([name, { answers }]) => [name, answers])) };
    }
    case "item/permissions/requestApproval":
      return { ...reply, option: grantOption(result) };
    case "mcpServer/elicitation/request":
      return { ...reply, ...elicitationAnswer(params, result) };
    default: {
      const { decision } = result;
      return { ...reply, option: typeof decision === "string" ? decision : Object.keys(decision ?? {})[0] };
    }
  }
}

function grantOption({ permissions, scope }: RpcParams): string {
  if (Object.keys(permissions ?? {}).length === 0) return "decline";
  return scope === "session" ? "acceptForSession" : "accept";
}

function elicitationAnswer(asked: RpcParams, { action, content, _meta: meta }: RpcParams) {
  if (action !== "accept") return { option: action === "cancel" ? "cancel" : "decline" };
  const { persist } = (meta ?? {}) as { persist?: string };
  if (approvalOf(asked) || typeof asked.url === "string") return { option: persist ?? "accept" };
  const fields = Object.entries((content ?? {}) as Record<string, unknown>);
  return { answers: Object.fromEntries(fields.map(([name, value]) => [name, [String(value)]])) };
}
