/** Values of Codex mapped to ours. */
import type { EventOf, TurnError, TurnOutcome } from "../../core/event.ts";
import { parseJson } from "../../core/parse-json.ts";
import { type ModelFailureCode, modelFailure } from "../transport/model-failure.ts";
import { fromNativeMode, PERMISSIONS } from "./manifest.ts";
import { CODEX } from "./program.ts";
import { settingsOf } from "./thread-settings.ts";
import type { WireError, WireModel, WireSandbox, WireThreadSettings, WireTurn } from "./wire.ts";

type Purpose = EventOf<"text.start">["purpose"];

const PURPOSES: Readonly<Record<string, Purpose>> = {
  commentary: "commentary",
  partial_answer: "answer",
  final_answer: "answer",
};

export function purposeOf(item: { readonly type: string; readonly phase?: string | null }): Purpose {
  return item.type === "plan" ? "plan" : PURPOSES[item.phase ?? ""];
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Ours where policy and sandbox are those of one of our modes; else the name of Codex's policy. */
export function permissionModeOf(
  approvalPolicy: unknown,
  sandbox: WireSandbox | undefined,
  mode: string | undefined,
): string | undefined {
  const matching = Object.entries(PERMISSIONS).filter(
    ([, native]) => native.approvalPolicy === approvalPolicy && native.sandbox === sandbox?.type,
  );
  const [name] = matching.find(([, native]) => native.mode === (mode ?? "default")) ?? matching[0] ?? [];
  return name ?? (typeof approvalPolicy === "string" ? approvalPolicy : undefined);
}

/** The settings of a thread, as it is opened and as they change. */
export function configurationOf(settings: WireThreadSettings, models?: readonly WireModel[]) {
  const { model, approvalPolicy, sandboxPolicy, collaborationMode } = settings;
  const permissionMode = permissionModeOf(approvalPolicy, sandboxPolicy, collaborationMode?.mode);
  return {
    model,
    permissionMode,
    ...(collaborationMode?.mode !== undefined && { mode: fromNativeMode(collaborationMode.mode) }),
    settings: settingsOf(settings, models),
  };
}

const OUTCOMES: Readonly<Record<string, TurnOutcome>> = {
  completed: "completed",
  interrupted: "interrupted",
  failed: "failed",
};

/** Errors that are a limit of the account or the conversation, and none of the program. */
const LIMITS = ["usageLimitExceeded", "sessionBudgetExceeded", "contextWindowExceeded"];

/** Its names of failures in words that all agents share. */
const FAILURES: Readonly<Record<string, ModelFailureCode>> = {
  contextWindowExceeded: "context_full",
  rateLimitExceeded: "rate_limited",
  serverOverloaded: "overloaded",
  unauthorized: "authentication_failed",
  usageLimitExceeded: "rate_limited",
};

export function endOf({ status, error }: WireTurn): { outcome: TurnOutcome; error?: TurnError } {
  if (!error) return { outcome: OUTCOMES[status ?? ""] ?? "completed" };
  const name = errorName(error);
  const outcome = LIMITS.includes(name) ? "limit" : (OUTCOMES[status ?? ""] ?? "failed");
  const said = plainMessage(error.message);
  const failure = { code: FAILURES[name], status: httpStatus(error), said };
  return { outcome, error: modelFailure(failure, CODEX) ?? { code: name, message: said } };
}

/** `{"httpConnectionFailed": {"httpStatusCode": 401}}`. */
function httpStatus({ codexErrorInfo }: WireError): number | undefined {
  if (typeof codexErrorInfo !== "object" || codexErrorInfo === null) return undefined;
  const [told] = Object.values(codexErrorInfo) as { httpStatusCode?: number | null }[];
  return told?.httpStatusCode ?? undefined;
}

/** Some errors are the JSON body the model's API answered with. */
function plainMessage(message: string): string {
  if (!message.startsWith("{")) return message;
  try {
    const inner = (parseJson(message) as { error?: { message?: unknown } }).error?.message;
    return typeof inner === "string" ? inner : message;
  } catch {
    return message;
  }
}

function errorName({ codexErrorInfo }: WireError): string {
  if (typeof codexErrorInfo === "string") return codexErrorInfo;
  return Object.keys(codexErrorInfo ?? {})[0] ?? "other";
}

export const TASK_OUTCOMES: Readonly<Record<string, EventOf<"task.ended">["outcome"]>> = {
  completed: "completed",
  failed: "failed",
  interrupted: "stopped",
};

const PLAN_STATUS: Readonly<Record<string, "pending" | "active" | "done">> = {
  pending: "pending",
  inProgress: "active",
  completed: "done",
};

export function planStatus(status: string): "pending" | "active" | "done" {
  return PLAN_STATUS[status] ?? "pending";
}
