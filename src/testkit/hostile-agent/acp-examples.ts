/** One good example of everything an ACP agent can say. */

const OPTIONS = [
  { optionId: "yes", name: "Allow", kind: "allow_once" },
  { optionId: "no", name: "Reject", kind: "reject_once" },
];

const TEXT = { type: "text", text: "Hello." };

const UPDATES = [
  { sessionUpdate: "agent_message_chunk", content: TEXT },
  {
    sessionUpdate: "agent_message_chunk",
    content: { type: "image", mimeType: "image/png", data: "iVBORw0KGgo=" },
  },
  { sessionUpdate: "agent_thought_chunk", content: TEXT },
  { sessionUpdate: "user_message_chunk", content: TEXT, messageId: "m1" },
  {
    sessionUpdate: "tool_call",
    toolCallId: "call-1",
    title: "touch a.txt",
    kind: "execute",
    status: "pending",
    rawInput: { command: "touch a.txt" },
    locations: [{ path: "/tmp/a.txt", line: 1 }],
    content: [{ type: "diff", path: "/tmp/a.txt", oldText: "a", newText: "b" }],
  },
  {
    sessionUpdate: "tool_call_update",
    toolCallId: "call-1",
    status: "in_progress",
    content: [
      { type: "content", content: TEXT },
      { type: "terminal", terminalId: "t1" },
    ],
  },
  {
    sessionUpdate: "tool_call_update",
    toolCallId: "call-1",
    status: "completed",
    rawOutput: { exitCode: 0 },
  },
  { sessionUpdate: "tool_call_update", toolCallId: "call-2", status: "failed", content: [] },
  { sessionUpdate: "plan", entries: [{ content: "Look", priority: "high", status: "pending" }] },
  {
    sessionUpdate: "plan_update",
    plan: { planId: "p", entries: [{ content: "Look", status: "completed" }] },
  },
  { sessionUpdate: "plan_removed", planId: "p" },
  {
    sessionUpdate: "available_commands_update",
    availableCommands: [{ name: "help", description: "Tells what there is.", input: { hint: "topic" } }],
  },
  { sessionUpdate: "current_mode_update", currentModeId: "plan" },
  {
    sessionUpdate: "config_option_update",
    configOptions: [
      {
        id: "model",
        name: "Model",
        category: "model",
        type: "select",
        currentValue: "large",
        options: [{ value: "large", name: "Large" }],
      },
    ],
  },
  { sessionUpdate: "session_info_update", title: "A title", updatedAt: "2026-01-01T00:00:00Z" },
  { sessionUpdate: "usage_update", used: 10, size: 100, cost: { amount: 0.1, currency: "USD" } },
  { sessionUpdate: "notice", severity: "warning", title: "Look out", description: "for it" },
  { sessionUpdate: "compaction_update", compactionId: "c", status: "in_progress" },
  { sessionUpdate: "compaction_summary_chunk", compactionId: "c", content: TEXT },
  { sessionUpdate: "compaction_update", compactionId: "c", status: "completed", summary: "All of it." },
];

const REQUESTS: [method: string, params: object][] = [
  [
    "session/request_permission",
    { toolCall: { toolCallId: "call-1", title: "touch a.txt" }, options: OPTIONS },
  ],
  ["session/request_permission", { toolCall: { toolCallId: "call-9" }, options: OPTIONS }],
  [
    "elicitation/create",
    {
      mode: "form",
      message: "Tell me.",
      requestedSchema: {
        type: "object",
        properties: {
          colour: { type: "string", title: "Which?", enum: ["red", "green"] },
          sizes: { type: "array", items: { anyOf: [{ const: "s", title: "Small" }] } },
        },
        required: ["colour"],
      },
    },
  ],
  ["fs/read_text_file", { path: "/etc/hostname" }],
  ["fs/write_text_file", { path: "/nowhere/a.txt", content: "x" }],
  ["terminal/create", { command: "true", args: [], env: [] }],
  ["terminal/output", { terminalId: "t1" }],
  ["terminal/release", { terminalId: "t1" }],
  ["_vendor/what_now", { mood: "curious" }],
];

export function acpExamples(sessionId: string): object[] {
  return [
    ...UPDATES.map((update) => ({ jsonrpc: "2.0", method: "session/update", params: { sessionId, update } })),
    ...REQUESTS.map(([method, params], index) => ({
      jsonrpc: "2.0",
      // Few, so that they are used again while the first is still open.
      id: `request-${index % 3}`,
      method,
      params: { sessionId, ...params },
    })),
    { jsonrpc: "2.0", method: "$/cancel_request", params: { requestId: "request-0" } },
    { jsonrpc: "2.0", id: 99, result: {} },
    { jsonrpc: "2.0", id: 1, error: { code: -32603, message: "Internal error", data: { details: "none" } } },
  ];
}

export const ACP_ANSWERS: Readonly<Record<string, object>> = {
  initialize: {
    protocolVersion: 1,
    agentInfo: { name: "hostile", version: "1.0.0" },
    agentCapabilities: { loadSession: true, promptCapabilities: { image: true } },
    authMethods: [],
  },
  "session/new": { sessionId: "hostile-session" },
  "session/load": {},
  "session/prompt": { stopReason: "end_turn", usage: { inputTokens: 1, outputTokens: 2, totalTokens: 3 } },
};
