/** One good example of everything that can be said on the wire of the mock. */
import { CAPABILITIES, COMMANDS, MODELS, MODES, TOOLS, VERSION } from "../../agents/mock/manifest.ts";
import { WIRE_VERSION, type WireEvent, type WireOption } from "../../agents/mock/wire.ts";

const CONFIGURATION = { model: MODELS[0]!.id, mode: "build", permissions: "ask", effort: "medium" } as const;
const CHANGE = { path: "a.txt", change: "created", diff: "+a" } as const;
const OPTIONS: WireOption[] = [
  { id: "allow", label: "Allow", meaning: "allow", tools: ["read_file"] },
  { id: "deny", label: "Deny", meaning: "deny" },
];

export const MOCK_EXAMPLES: readonly WireEvent[] = [
  { event: "turn_started", turn: "t9", cause: "by itself", text: "I begin." },
  { event: "turn_finished", turn: "t9", reason: "done" },
  { event: "turn_finished", turn: "t9", reason: "failed", error: { code: "odd", message: "It failed." } },
  { event: "steering_taken", prompt: "u1" },
  { event: "steering_returned", prompt: "u1", reason: "too late" },
  { event: "step_started", step: 1 },
  { event: "step_finished", step: 1 },
  { event: "block_started", block: "b1", kind: "text", under: "c1" },
  { event: "block_delta", block: "b1", kind: "text", text: "Hello." },
  { event: "block_finished", block: "b1", kind: "text" },
  { event: "block_started", block: "b2", kind: "thinking", task: "k1" },
  { event: "retracted", blocks: ["b1"], calls: ["c1"], reason: "wrong" },
  { event: "call_started", call: "c1", tool: "read_file", title: "Read", kind: "read" },
  { event: "call_input_delta", call: "c1", text: '{"path":' },
  { event: "call_input", call: "c1", input: { path: "a.txt" } },
  { event: "call_progress", call: "c1", progress: { percent: 50 } },
  { event: "call_output_delta", call: "c1", text: "line" },
  { event: "call_output", call: "c1", output: { lines: ["a"] }, exitCode: 0 },
  { event: "call_failed", call: "c2", error: "no such file" },
  { event: "call_denied", call: "c3", note: "not now" },
  { event: "call_corrected", call: "c1", output: "better", exitCode: 1 },
  {
    event: "ask",
    ask: "a1",
    kind: "permission",
    call: "c1",
    title: "May I?",
    options: OPTIONS,
    changes: [CHANGE],
  },
  {
    event: "ask",
    ask: "a2",
    kind: "question",
    title: "Which?",
    options: [],
    questions: [{ id: "q1", name: "colour", text: "Which?", options: [{ label: "red" }], free: true }],
  },
  { event: "ask_withdrawn", ask: "a1" },
  { event: "file_changed", call: "c1", ...CHANGE },
  { event: "todo", items: [{ text: "Look", state: "open" }] },
  { event: "citation", citation: "x1", url: "https://example.org", title: "Example" },
  { event: "attachment", url: "data:text/plain,a", mediaType: "text/plain", filename: "a.txt" },
  { event: "spent", tokens: { input: 1, output: 2 }, dollars: 0.1, model: "mock-large", window: 1000 },
  { event: "remark", level: "warning", code: "odd", text: "Look out." },
  { event: "configuration", configuration: CONFIGURATION },
  { event: "compacting" },
  { event: "compacted", summary: "All of it.", tokensBefore: 10, tokensAfter: 1 },
  { event: "task_started", task: "k1", title: "Wait", call: "c1" },
  { event: "task_progress", task: "k1", status: "waiting", progress: 0.5 },
  { event: "task_finished", task: "k1", result: "done", summary: "Waited." },
];

export const MOCK_ANSWERS: Readonly<Record<string, object>> = {
  open: {
    conversation: "hostile",
    wire: WIRE_VERSION,
    version: VERSION,
    continued: CAPABILITIES.resume,
    configuration: CONFIGURATION,
    models: MODELS,
    modes: MODES,
    commands: COMMANDS,
    tools: TOOLS,
  },
  prompt: { accepted: "p1" },
};
