/** The server's answers → drafts: what its session is, what it offers, and whether it took what we sent. */
import type { Draft } from "../../../core/draft.ts";
import { withEntry, withoutEntry } from "../../transport/map-entry.ts";
import type { Translation } from "../../transport/translator.ts";
import type { Catalog, MissedRoute, OpenCodeState } from "../conversation-state.ts";
import { permissionModeOf } from "../manifest.ts";
import { refusalText } from "../vocabulary.ts";
import type {
  WireAgent,
  WireCommand,
  WireConfiguration,
  WireProviders,
  WireRequest,
  WireResponse,
  WireSession,
  WireStoredMessage,
} from "../wire.ts";
import { updatedSession } from "./event.ts";
import { reconcile } from "./reconcile.ts";
import { askOf, chosen, markOf, promptOf, routeOf, sessionOf } from "./request.ts";
import { afterRefusal } from "./turn-end.ts";

/** A command of OpenCode's own page; for the server it is a call of its own. */
export const COMPACT = { name: "compact", description: "Summarize the conversation so far." };

export function translateResponse(state: OpenCodeState, response: WireResponse): Translation<OpenCodeState> {
  const request = state.requests.get(response.id);
  if (!request) return [state, []];
  const settled = { ...state, requests: withoutEntry(state.requests, response.id) };
  const isGood = response.status !== undefined && response.status < 300 && response.error === undefined;
  if (!isGood) return translateFailure(settled, request, response);
  if (askOf(request) !== undefined) return [settled, closedAsk(settled, request, true)];
  if (request.method === "GET") return readAnswer(settled, request, response.body);
  if (request.path === "/session") {
    const [attached, drafts] = attach(settled, response.body as WireSession, false);
    return [attached, [...drafts, ...allowed(request)]];
  }
  if (request.method === "PATCH") return [settled, allowed(request)];
  const route = routeOf(request);
  if (route === "revert" && sessionOf(request) === state.session) {
    const { messageID } = (request.body ?? {}) as { messageID?: string };
    return [{ ...settled, reverted: messageID === undefined ? undefined : state.users.get(messageID) }, []];
  }
  if (route === "unrevert") return [{ ...settled, reverted: undefined }, []];
  return [settled, []];
}

function readAnswer(state: OpenCodeState, { path }: WireRequest, body: unknown): Translation<OpenCodeState> {
  switch (path) {
    case "/config":
      return withCatalog(state, { configured: (body as WireConfiguration).model ?? null });
    case "/config/providers":
      return withCatalog(state, { models: modelsOf(body as WireProviders) });
    case "/agent":
      return withCatalog(state, { modes: modesOf(body as readonly WireAgent[]) });
    case "/command":
      return withCatalog(state, { commands: commandsOf(body as readonly WireCommand[]) });
  }
  const isSession = /^\/session\/ses_\w+$/.test(path);
  if (isSession) return attach(state, body as WireSession, true);
  const isMessages = path === `/session/${state.session}/message`;
  if (isMessages && state.missed.length === 0) {
    return [withStoredPrompts(state, body as readonly WireStoredMessage[]), []];
  }
  const route = isMessages ? "message" : path.slice(1);
  if (!state.missed.includes(route as MissedRoute)) return [state, []];
  const missed = state.missed.filter((name) => name !== route);
  return reconcile({ ...state, missed }, route as MissedRoute, body);
}

function attach(state: OpenCodeState, session: WireSession, resumed: boolean): Translation<OpenCodeState> {
  const { id, version } = session;
  // Other sessions may be made on the same server; the first one is this one.
  if (state.session !== undefined && state.session !== id) return [state, []];
  const { models, modes, commands } = state.catalog;
  const attached: Draft = {
    type: "session.attached",
    agentSessionId: id,
    agentVersion: version,
    ...(resumed && { resumed }),
    ...chosen(state.choice),
    models: models && [...models],
    modes: modes && [...modes],
    commands: commands && [...commands],
  };
  return [{ ...state, session: id }, resumed ? [attached, updatedSession(session)] : [attached]];
}

/** The server took rules that are a permission mode of ours. */
function allowed({ body }: WireRequest): readonly Draft[] {
  const permissionMode = permissionModeOf((body as { permission?: unknown } | undefined)?.permission);
  return permissionMode === undefined ? [] : [{ type: "session.updated", permissionMode }];
}

/** What is offered is told with the session; what is learnt later is told then. */
function withCatalog(state: OpenCodeState, known: Catalog): Translation<OpenCodeState> {
  const next = { ...state, catalog: { ...state.catalog, ...known } };
  const { configured: _configured, ...offered } = known;
  if (state.session === undefined || Object.keys(offered).length === 0) return [next, []];
  return [next, [{ type: "session.updated", ...offered } as Draft]];
}

function modelsOf({ providers }: WireProviders): Catalog["models"] {
  return providers.flatMap(({ id, models }) =>
    Object.entries(models).map(([model, { name }]) => ({ id: `${id}/${model}`, ...(name && { name }) })),
  );
}

/** What only another agent may call, and what the server uses for itself, is no mode for a person. */
function modesOf(agents: readonly WireAgent[]): Catalog["modes"] {
  return agents
    .filter(({ mode, hidden }) => mode !== "subagent" && !hidden)
    .map(({ name, description }) => ({ id: name, name, ...(description && { description }) }));
}

function commandsOf(commands: readonly WireCommand[]): Catalog["commands"] {
  const offered = commands.map(({ name, description, hints }) => ({
    name,
    ...(description && { description }),
    ...(hints?.length && { hint: hints.join(" ") }),
  }));
  return [...offered, COMPACT];
}

/** Which stored messages are prompts of ours, for going back to before one of them. */
function withStoredPrompts(state: OpenCodeState, stored: readonly WireStoredMessage[]): OpenCodeState {
  let { users } = state;
  for (const { info, parts } of stored) {
    if (info.role === "user" && users.get(info.id) === undefined)
      users = withEntry(users, info.id, markOf(parts));
  }
  return users === state.users ? state : { ...state, users };
}

function translateFailure(
  state: OpenCodeState,
  request: WireRequest,
  { status, body, error }: WireResponse,
): Translation<OpenCodeState> {
  if (askOf(request) !== undefined) return [state, closedAsk(state, request, false)];
  const reason = refusalText(body) ?? error ?? `the server answered ${status}`;
  if (promptOf(state, request) && sessionOf(request) === state.session) return afterRefusal(state, reason);
  if (request.method === "PATCH") {
    return [state, [{ type: "notice", level: "warning", code: "configure", text: reason }]];
  }
  if (state.session !== undefined) return [state, []];
  // Before there is a session whatever fails is a reason not to open one.
  const isOfSession = sessionOf(request) !== undefined;
  const isSessionGone = status === 404 && isOfSession;
  return [{ ...state, failure: state.failure ?? { reason, isOfSession, isSessionGone } }, []];
}

/** Of several answers to one ask only the first was given here. */
function closedAsk({ replies }: OpenCodeState, request: WireRequest, delivered: boolean): readonly Draft[] {
  const ask = askOf(request)!;
  return replies.get(ask)?.request === request.id
    ? [{ type: "ask.closed", ask, outcome: "answered", delivered }]
    : [];
}
