/** One request for each route, by its operation id, that does what the route is for. A route without one fails the matrix. */
import type { Person, World } from "./world.ts";

export interface Sample {
  path: string;
  body?: unknown;
  /** Of the answer to whoever may. 200 when absent. */
  status?: number;
}

type MakeSample = (world: World, person: Person) => Promise<Sample> | Sample;

const SMITHY = "/agentsmithy";

export const SAMPLES: Readonly<Record<string, MakeSample>> = {
  createSession: () => ({ path: "/v1/sessions", body: { agent: "mock" }, status: 201 }),
  createNamedSession: (world) => ({
    path: `/v1/sessions/${world.newId()}`,
    body: { agent: "mock" },
    status: 201,
  }),
  listSessions: () => ({ path: "/v1/sessions" }),
  getSession: async (world) => ({ path: `/v1/sessions/${await world.session()}` }),
  updateSession: async (world) => ({ path: `/v1/sessions/${await world.session()}`, body: { title: "New" } }),
  detachSession: async (world) => ({ path: `/v1/sessions/${await world.session()}/detach` }),
  attachSession: async (world) => ({ path: `/v1/sessions/${await world.session()}/attach` }),
  deleteSession: async (world) => ({ path: `/v1/sessions/${await world.session()}`, status: 204 }),
  interrupt: async (world) => ({ path: `/v1/sessions/${await world.session()}/interrupt` }),
  rewind: async (world) => {
    const { session, prompt } = await world.talked();
    return { path: `/v1/sessions/${session}/rewind`, body: { before: prompt } };
  },
  forkSession: async (world) => ({ path: `/v1/sessions/${await world.session()}/fork`, status: 201 }),
  listDirectories: () => ({ path: "/v1/directories" }),
  findFiles: async (world) => ({ path: `/v1/sessions/${await world.session()}/files` }),
  sendMessage: async (world) => ({
    path: `/v1/sessions/${await world.session()}/messages`,
    body: { text: "scenario:text" },
    status: 202,
  }),
  streamMessage: async (world) => ({
    path: `/v1/sessions/${await world.session()}/messages/stream`,
    body: { text: "scenario:text" },
  }),
  listMessages: async (world) => ({ path: `/v1/sessions/${await world.session()}/messages` }),
  getMessage: async (world) => {
    const { session, answer } = await world.talked();
    return { path: `/v1/sessions/${session}/messages/${answer}?include=result` };
  },
  listQueue: async (world) => ({ path: `/v1/sessions/${await world.session()}/queue` }),
  changeQueued: async (world, person) => {
    const { session, message } = await world.queued(person);
    return { path: `/v1/sessions/${session}/queue/${message}`, body: { text: "other" } };
  },
  sendQueued: async (world, person) => {
    const { session, message } = await world.queued(person);
    return { path: `/v1/sessions/${session}/queue/${message}/send`, status: 202 };
  },
  releaseQueue: async (world) => ({ path: `/v1/sessions/${await world.session()}/queue/release` }),
  listTasks: async (world) => ({ path: `/v1/sessions/${await world.session()}/tasks` }),
  // There is none: whoever may gets to hear that.
  stopTask: async (world) => ({
    path: `/v1/sessions/${await world.session()}/tasks/none/stop`,
    status: 404,
  }),
  withdrawQueued: async (world, person) => {
    const { session, message } = await world.queued(person);
    return { path: `/v1/sessions/${session}/queue/${message}`, status: 204 };
  },
  listEvents: async (world) => ({ path: `/v1/sessions/${await world.session()}/events` }),
  streamEvents: async (world) => ({ path: `/v1/sessions/${await world.session()}/events/sse` }),
  streamManyEvents: async (world) => ({ path: `/v1/events/sse?after=${await world.session()}:0` }),
  streamFeed: () => ({ path: "/v1/feed/sse" }),
  getXray: async (world) => ({ path: `/v1/sessions/${await world.session()}/xray` }),
  downloadRecording: async (world) => ({ path: `/v1/sessions/${await world.session()}/recording` }),
  listRaws: async (world) => ({ path: `/v1/sessions/${await world.session()}/raw` }),
  listAsks: () => ({ path: "/v1/asks" }),
  replyToAsk: async (world) => {
    const { session, ask } = await world.ask("question");
    return { path: `/v1/sessions/${session}/asks/${ask}/reply`, body: { answers: { q1: ["yes"] } } };
  },
  replyToPermission: async (world) => {
    const { session, ask } = await world.ask("permission");
    return { path: `/v1/sessions/${session}/permissions/${ask}/reply`, body: { reply: "once" } };
  },
  replyToQuestion: async (world) => {
    const { session, ask } = await world.ask("question");
    return { path: `/v1/sessions/${session}/questions/${ask}/reply`, body: { answers: { q1: ["yes"] } } };
  },
  rejectQuestion: async (world) => {
    const { session, ask } = await world.ask("question");
    return { path: `/v1/sessions/${session}/questions/${ask}/reject` };
  },
  // A store in memory has no checkpoints: whoever may gets to hear that.
  listCheckpoints: async (world) => ({ path: `/v1/sessions/${await world.session()}/checkpoints` }),
  listChanges: async (world) => ({ path: `/v1/sessions/${await world.session()}/changes`, status: 409 }),
  restore: async (world) => ({
    path: `/v1/sessions/${await world.session()}/restore`,
    body: { checkpoint: "x" },
    status: 409,
  }),
  approve: async (world) => ({ path: `/v1/sessions/${await world.session()}/approve`, status: 409 }),
  reset: async (world) => ({ path: `/v1/sessions/${await world.session()}/reset`, status: 409 }),
  listWorkspaces: () => ({ path: "/v1/workspaces" }),
  collectGarbage: () => ({ path: "/v1/workspaces/gc" }),
  getPresence: async (world) => ({ path: `/v1/sessions/${await world.session()}/presence` }),
  watchSession: () => ({ path: "/v1/feed/readers/nobody", body: { watching: null }, status: 404 }),
  listAgents: () => ({ path: "/v1/agents" }),
  getAgent: () => ({ path: "/v1/agents/mock" }),
  // The mock has nothing to install.
  installAgent: () => ({ path: "/v1/agents/mock/install", status: 422 }),
  searchMessages: () => ({ path: "/v1/search?q=hello" }),
  getUsage: () => ({ path: "/v1/usage" }),
  getHealth: () => ({ path: "/v1/health" }),
  getLiveness: () => ({ path: "/v1/health/live" }),
  getReadiness: () => ({ path: "/v1/health/ready" }),
  listNodes: () => ({ path: "/v1/nodes" }),
  getOpenApi: () => ({ path: "/v1/openapi.json" }),
  getMetrics: () => ({ path: "/metrics" }),
  getMe: () => ({ path: "/v1/me" }),
  createToken: (world) => ({
    path: "/v1/tokens",
    body: { name: world.newId(), role: "observer" },
    status: 201,
  }),
  listTokens: () => ({ path: "/v1/tokens" }),
  revokeToken: async (world) => ({ path: `/v1/tokens/${(await world.person("observer")).id}`, status: 204 }),
  createInvitation: async (world) => ({
    path: `/v1/sessions/${await world.session()}/invitations`,
    status: 201,
  }),
  listInvitations: async (world) => ({ path: `/v1/sessions/${await world.session()}/invitations` }),
  revokeInvitation: async (world) => {
    const path = `/v1/sessions/${await world.session()}/invitations`;
    const { body } = await world.call(world.owner, "POST", path);
    return { path: `${path}/${body.id}`, status: 204 };
  },
  redeemInvitation: async (world) => {
    const path = `/v1/sessions/${await world.session()}/invitations`;
    const { body } = await world.call(world.owner, "POST", path);
    return { path: "/v1/invitations/redeem", body: { code: body.code }, status: 201 };
  },
  listAudit: () => ({ path: "/v1/audit" }),

  sendChat: async (world) => ({ path: "/api/chat", body: chat(await world.session(), "scenario:text") }),
  streamChat: async (world) => ({ path: `/api/chat/${await world.session()}/stream`, status: 204 }),
  stopChat: async (world) => ({ path: `/api/chat/${await world.session()}/stop` }),
  listChatMessages: async (world) => ({ path: `/api/chat/${await world.session()}/messages` }),
  getChatMessage: async (world) => {
    const { session, answer } = await world.talked();
    return { path: `/api/chat/${session}/messages/${answer}` };
  },
  streamChatMessage: async (world) => {
    const { session, answer } = await world.talked();
    return { path: `/api/chat/${session}/messages/${answer}/stream` };
  },

  sendSmithyMessage: async (world) => ({
    path: `${SMITHY}/api/chat`,
    body: {
      messages: [{ role: "user", content: "scenario:text" }],
      dialog_id: await world.dialog(await world.session()),
      stream: true,
    },
  }),
  listSmithyDialogs: () => ({ path: `${SMITHY}/api/dialogs` }),
  createSmithyDialog: () => ({ path: `${SMITHY}/api/dialogs`, body: {} }),
  getCurrentSmithyDialog: () => ({ path: `${SMITHY}/api/dialogs/current` }),
  setCurrentSmithyDialog: async (world) => ({
    path: `${SMITHY}/api/dialogs/current?id=${await world.dialog(await world.session())}`,
  }),
  getSmithyDialog: async (world) => ({ path: await dialogPath(world) }),
  changeSmithyDialog: async (world) => ({ path: await dialogPath(world), body: { title: "New" } }),
  deleteSmithyDialog: async (world) => ({ path: await dialogPath(world) }),
  listSmithyHistory: async (world) => ({ path: `${await dialogPath(world)}/history` }),
  listSmithyCheckpoints: async (world) => ({ path: `${await dialogPath(world)}/checkpoints` }),
  getSmithySession: async (world) => ({ path: `${await dialogPath(world)}/session` }),
  restoreSmithyCheckpoint: async (world) => ({
    path: `${await dialogPath(world)}/restore`,
    body: { checkpoint_id: "x" },
    status: 409,
  }),
  approveSmithySession: async (world) => ({ path: `${await dialogPath(world)}/approve`, status: 409 }),
  resetSmithySession: async (world) => ({ path: `${await dialogPath(world)}/reset`, status: 409 }),
  listSmithyToolResults: async (world) => ({ path: `${await dialogPath(world)}/tool-results` }),
  getSmithyToolResult: async (world) => ({ path: `${await dialogPath(world)}/tool-results/c1`, status: 404 }),
  getSmithyConfig: () => ({ path: `${SMITHY}/api/config` }),
  changeSmithyConfig: () => ({ path: `${SMITHY}/api/config`, body: { config: {} } }),
  renameInSmithyConfig: () => ({ path: `${SMITHY}/api/config/rename`, body: {}, status: 400 }),
  getSmithyHealth: () => ({ path: `${SMITHY}/health` }),

  openHealth: () => ({ path: "/open/health" }),
  openUse: () => ({ path: "/open/api/engine/health", body: { args: [] } }),
  openFollow: async (world) => ({ path: `/open/api/${await world.session()}/events` }),
};

export function chat(session: string, text: string, more: object = {}) {
  const id = `m-${session}`;
  return { id: session, messages: [{ id, role: "user", parts: [{ type: "text", text }] }], ...more };
}

async function dialogPath(world: World): Promise<string> {
  return `${SMITHY}/api/dialogs/${await world.dialog(await world.session())}`;
}
