/** Opens a session with an ACP agent: initialize, sign in if needed, open the session, set it up. */
import { isWaitingFor } from "../../transport/json-rpc.ts";
import { type RpcCall, requestLines } from "../../transport/json-rpc-lines.ts";
import type { OpeningStep } from "../../transport/translator.ts";
import type { AcpState, AgentIdentity, Refusal } from "../conversation-state.ts";
import { settingsOf } from "../outbound/configuration.ts";
import { resumeMethod } from "../resume.ts";
import type { SessionOptions } from "../session-options.ts";
import { objectOf, textOf } from "../untyped.ts";
import { ERROR_CODE, METHOD, PROTOCOL_VERSION } from "../wire.ts";
import { configurationCalls } from "./configure.ts";

/** How the reason begins when the agent wants somebody to sign in. */
export const NOT_SIGNED_IN = "nobody is signed in";

const CLIENT = { name: "interlingua", title: "Interlingua", version: "1" };

const STEPS: readonly string[] = [
  METHOD.initialize,
  METHOD.authenticate,
  METHOD.newSession,
  METHOD.loadSession,
  METHOD.resumeSession,
  METHOD.setMode,
  METHOD.setModel,
  METHOD.setConfigOption,
];

/** What an agent still tells of the history comes in one go. */
const REPLAY_QUIET_MS = 300;

export function openingStep(state: AcpState, session: SessionOptions): OpeningStep {
  const { agent, opening, rpc } = state;
  if (STEPS.some((method) => isWaitingFor(rpc, method))) return { step: "wait" };
  if (agent === undefined) {
    if (opening.refused) return failed(opening.refused.message);
    return send(state, { method: METHOD.initialize, params: initializeParams(session) });
  }
  if (agent.protocol !== PROTOCOL_VERSION) return failed(versionProblem(agent));
  if (!opening.isOpen) return openSession(state, agent, session);
  if (opening.refused) return failed(opening.refused.message);
  if (state.session === undefined) return failed("it opened a session without an id");
  return setUp(state, session);
}

function send(state: AcpState, ...calls: RpcCall[]): OpeningStep {
  return { step: "send", lines: requestLines(state.rpc, calls) };
}

/** For a reason that is not about the conversation to resume. */
function failed(reason: string): OpeningStep {
  return { step: "failed", reason, keepsConversation: true };
}

function lost(reason: string): OpeningStep {
  return { step: "failed", reason, code: "conversation_lost" };
}

function initializeParams({ files = false, terminals = false }: SessionOptions) {
  return {
    protocolVersion: PROTOCOL_VERSION,
    clientCapabilities: {
      fs: { readTextFile: files, writeTextFile: files },
      terminal: terminals,
      session: { configOptions: { boolean: {} }, compaction: {}, notices: {} },
      elicitation: { form: {}, url: {} },
    },
    clientInfo: CLIENT,
  };
}

function versionProblem({ protocol }: AgentIdentity): string {
  return `it speaks version ${protocol} of the Agent Client Protocol, and we speak version ${PROTOCOL_VERSION}; use a version of the agent that offers it`;
}

function openSession(state: AcpState, agent: AgentIdentity, session: SessionOptions): OpeningStep {
  const { refused } = state.opening;
  if (refused) {
    const method = session.authMethod;
    const asksToSignIn = refused.code === ERROR_CODE.authRequired && refused.method !== METHOD.authenticate;
    if (!asksToSignIn) return refusalStep(refused, session);
    if (method === undefined || state.opening.hasAuthenticated) {
      return failed(signInProblem(agent, refused));
    }
    return send(state, { method: METHOD.authenticate, params: { methodId: method } });
  }
  const stranger = session.mcpServers.find(
    (server) => "type" in server && objectOf(agent.capabilities.mcpCapabilities)[server.type] !== true,
  );
  if (stranger) {
    return failed(`it cannot use the MCP server "${stranger.name}", which is not a program`);
  }
  const { cwd, mcpServers, resume } = session;
  if (resume === undefined) return send(state, { method: METHOD.newSession, params: { cwd, mcpServers } });
  const method = resumeMethod(agent.capabilities);
  if (method === undefined) return lost("it cannot take up an earlier conversation");
  return send(state, { method, params: { sessionId: resume, cwd, mcpServers } });
}

/** An agent that refuses to resume for a reason of its own may never have the session again. */
function refusalStep({ isLost, message, method }: Refusal, { resume }: SessionOptions): OpeningStep {
  if (isLost) return lost(message);
  const isOfResume = resume !== undefined && method !== METHOD.authenticate;
  return isOfResume ? { step: "failed", reason: message } : failed(message);
}

function signInProblem({ authMethods }: AgentIdentity, { message }: Refusal): string {
  const ways = authMethods.map(({ id, name, description }) => {
    const what = textOf(description) ?? textOf(name);
    return what === undefined ? String(id) : `${String(id)} (${what.replace(/\.$/, "")})`;
  });
  const offered = ways.length > 0 ? ` It offers: ${ways.join("; ")}.` : "";
  return `${NOT_SIGNED_IN}: ${message.replace(/\.$/, "")}.${offered} Sign in with the agent's own program, or set its key in the environment`;
}

/** The mode decides what the agent asks for, so a session never starts in another mode than the wanted one. */
function setUp(state: AcpState, session: SessionOptions): OpeningStep {
  if (state.opening.isSetUp) return ready(state);
  const { mode, modes = [] } = settingsOf(state.configuration);
  const wanted = session.mode;
  if (wanted !== undefined && wanted !== mode && !modes.some(({ id }) => id === wanted)) {
    const offered = modes.map(({ id }) => id).join(", ");
    return failed(`it has no mode "${wanted}"; it offers ${offered || "none"}`);
  }
  const calls = configurationCalls(state, session);
  return calls.length === 0 ? ready(state) : send(state, ...calls);
}

/** Gemini continues to tell the history after it has answered `session/load`. */
function ready({ isReplaying }: AcpState): OpeningStep {
  return isReplaying ? { step: "settle", quietMs: REPLAY_QUIET_MS } : { step: "ready" };
}
