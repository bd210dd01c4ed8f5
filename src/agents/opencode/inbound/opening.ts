/** Opens a session: reads what the server offers, chooses the model, then creates or resumes the session. Pure. */
import type { ConnectOptions } from "../../../core/adapter.ts";
import type { OpeningStep } from "../../transport/translator.ts";
import type { OpenCodeState } from "../conversation-state.ts";
import { permissionRules } from "../manifest.ts";
import { sessionToResume } from "../resume.ts";
import { choiceLine, type Request, requestLines } from "./lines.ts";

const CATALOG: readonly Request[] = ["/config", "/config/providers", "/agent", "/command"].map((path) => ({
  method: "GET",
  path,
}));

export const NO_MODEL =
  "no model was chosen. Give the session a model like provider/model, or set `model` in OpenCode's own configuration";

export function openingStep(state: OpenCodeState, connect: ConnectOptions): OpeningStep {
  if (state.failure) {
    const { reason, isOfSession, isSessionGone } = state.failure;
    if (isSessionGone) return { step: "failed", reason, code: "conversation_lost" };
    return isOfSession ? { step: "failed", reason } : { step: "failed", reason, keepsConversation: true };
  }
  if (state.requests.size > 0) return { step: "wait" };
  const { configured, models, modes, commands } = state.catalog;
  if (configured === undefined || !models || !modes || !commands) {
    return { step: "send", lines: requestLines(state, CATALOG) };
  }
  if (state.session !== undefined) return { step: "ready" };
  const model = connect.model ?? configured ?? undefined;
  if (model === undefined) return { step: "failed", reason: NO_MODEL, keepsConversation: true };
  const problem = unknownName("model", model, models) ?? unknownName("mode", connect.mode, modes);
  if (problem !== undefined) return { step: "failed", reason: problem, keepsConversation: true };
  const lines = [
    choiceLine({ model, agent: connect.mode }),
    ...requestLines(state, sessionRequests(connect)),
  ];
  return { step: "send", lines };
}

function unknownName(
  what: string,
  wanted: string | undefined,
  offered: readonly { readonly id: string }[],
): string | undefined {
  if (wanted === undefined || offered.some(({ id }) => id === wanted)) return undefined;
  const names = offered.map(({ id }) => id).slice(0, 20);
  return `it does not offer the ${what} "${wanted}"; it offers ${names.join(", ") || "none"}`;
}

/** A session keeps its rules. Those that are given again say the same, and the last one counts. */
function sessionRequests(connect: ConnectOptions): readonly Request[] {
  const permission =
    connect.permissionMode === undefined ? undefined : permissionRules(connect.permissionMode);
  const session = sessionToResume(connect);
  if (session === undefined) {
    return [{ method: "POST", path: "/session", body: { permission } }];
  }
  return [
    { method: "GET", path: `/session/${session}` },
    { method: "GET", path: `/session/${session}/message` },
    ...(permission ? [{ method: "PATCH" as const, path: `/session/${session}`, body: { permission } }] : []),
  ];
}
