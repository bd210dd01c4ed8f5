/** The scenarios, by the first word of a prompt. Each is something a real agent was seen to do. */
import { CANCELLED, END, OPTIONS, type Turn, type TurnEnd } from "./turn.ts";

type Scenario = (turn: Turn) => Promise<TurnEnd> | TurnEnd;

const CALL = {
  toolCallId: "call-1",
  title: "touch a.txt",
  kind: "execute",
  rawInput: { command: "touch a.txt" },
};

function say(turn: Turn, text: string): TurnEnd {
  turn.say(text);
  return END;
}

export const TURNS: Readonly<Record<string, Scenario>> = {
  // As it should be.
  text: (turn) => say(turn, "Hello from the agent."),
  stream: (turn) => {
    for (let piece = 0; piece < 20; piece += 1) turn.say(`piece ${piece} `);
    return END;
  },
  endless: async (turn) => {
    turn.say("I begin.");
    await turn.cancelled;
    return CANCELLED;
  },
  permission: async (turn) => {
    turn.update({ sessionUpdate: "tool_call", ...CALL, status: "pending" });
    const chosen = await turn.ask(CALL);
    if (chosen !== "yes") return say(turn, "skipped");
    turn.update({
      sessionUpdate: "tool_call_update",
      toolCallId: CALL.toolCallId,
      status: "completed",
      content: [{ type: "content", content: { type: "text", text: "touched" } }],
    });
    return say(turn, "passed");
  },
  question: async (turn) => {
    const requestedSchema = {
      type: "object",
      properties: {
        colour: { type: "string", title: "Which colour?", enum: ["red", "green"] },
        count: { type: "integer" },
        sizes: {
          type: "array",
          items: {
            anyOf: [
              { const: "s", title: "Small" },
              { const: "l", title: "Large" },
            ],
          },
        },
      },
      required: ["colour"],
    };
    const { result } = await turn.request("elicitation/create", {
      mode: "form",
      message: "Tell me.",
      requestedSchema,
    });
    return say(turn, JSON.stringify(result));
  },
  // Says the value of a variable in every spelling JSON has for it, and once more in two pieces.
  spell: (turn) => {
    const value = process.env[turn.argument] ?? "";
    const units = Array.from({ length: value.length }, (_, index) => value.charCodeAt(index));
    const escaped = units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`);
    for (const literal of [
      JSON.stringify(value),
      JSON.stringify(value).replaceAll("/", "\\/"),
      `"${escaped.join("")}"`,
      `"${escaped.map((unit) => `\\u${unit.slice(2).toUpperCase()}`).join("")}"`,
      JSON.stringify(JSON.stringify({ inner: value })),
      JSON.stringify(`{"inner":"${escaped.join("")}"}`),
    ])
      turn.sayLiteral(literal);
    turn.say(value.slice(0, 7));
    turn.say(value.slice(7));
    return END;
  },
  image: (turn) => say(turn, turn.prompt.map(({ type, mimeType }) => `${type}:${mimeType ?? ""}`).join(" ")),

  // Calls.
  "born-in-permission": async (turn) => {
    await turn.ask({ toolCallId: "born", title: "rm -r build" }, OPTIONS, "8d1c-uuid");
    return END;
  },
  unfinished: (turn) => {
    turn.update({ sessionUpdate: "tool_call", ...CALL, status: "in_progress" });
    return END;
  },
  patchy: (turn) => {
    turn.update({ sessionUpdate: "tool_call_update", toolCallId: "patchy" });
    turn.update({ sessionUpdate: "tool_call_update", toolCallId: "patchy", kind: "read", title: null });
    turn.say("");
    turn.update({
      sessionUpdate: "tool_call_update",
      toolCallId: "patchy",
      status: "completed",
      rawOutput: "read",
    });
    turn.update({
      sessionUpdate: "tool_call_update",
      toolCallId: "patchy",
      status: "completed",
      rawOutput: "read",
    });
    turn.update({ sessionUpdate: "tool_call_update", status: "completed" });
    return END;
  },
  "many-options": async (turn) => {
    const chosen = await turn.ask(CALL, [
      ...OPTIONS,
      { optionId: "once-more", name: "Allow, and look", kind: "allow_once" },
      { optionId: "odd", name: "Something else", kind: "allow_on_mondays" },
      { optionId: "never", name: "Never", kind: "reject_always" },
    ]);
    return say(turn, `chosen: ${chosen}`);
  },
  "no-options": async (turn) => {
    const { error } = await turn.request("session/request_permission", { toolCall: CALL, options: [] });
    return say(turn, `refused: ${(error as { code: number } | undefined)?.code}`);
  },

  // Ends.
  "reject-ends": async (turn) => ((await turn.ask(CALL)) === "yes" ? END : CANCELLED),
  "cancel-completes": async (turn) => {
    turn.say("working");
    await turn.cancelled;
    return END;
  },
  "cancel-fails": async (turn) => {
    turn.say("working");
    await turn.cancelled;
    return { error: { code: -32603, message: "Internal error", data: { details: "aborted" } } };
  },
  "cancel-talks": async (turn) => {
    turn.say("working");
    await turn.cancelled;
    for (let piece = 0; piece < 25; piece += 1) turn.say(` late ${piece}`);
    return CANCELLED;
  },
  "cancel-asks": async (turn) => {
    turn.say("working");
    await turn.cancelled;
    return (await turn.ask(CALL)) === undefined
      ? CANCELLED
      : { error: { code: -32603, message: "it was allowed" } };
  },
  "talks-after-the-end": (turn) => {
    turn.say("before");
    turn.speaker.answer(turn.id, { stopReason: "end_turn" });
    turn.say("after");
    return "done";
  },
  "answers-twice": (turn) => {
    turn.speaker.answer(turn.id, { stopReason: "end_turn" });
    return END;
  },
  "bare-answer": (turn) => {
    turn.say("well");
    turn.speaker.send({ jsonrpc: "2.0", id: turn.id });
    return "done";
  },
  "odd-reason": (turn) => {
    turn.say("well");
    return { result: { stopReason: "ran_out_of_ideas" } };
  },
  "withdraws-ask": async (turn) => {
    void turn.ask(CALL, OPTIONS, "withdrawn");
    turn.speaker.notify("$/cancel_request", { requestId: "withdrawn" });
    return END;
  },
  dies: (turn) => {
    turn.say("I must");
    process.stderr.write("out of memory\n");
    process.exit(9);
  },

  // Errors.
  "error-answer": () => ({
    error: { code: -32603, message: "Internal error", data: { details: "402 no money" } },
  }),
  "error-both": (turn) => {
    turn.say("402 no money");
    return { error: { code: 402, message: JSON.stringify({ error: { message: "402 no money" } }) } };
  },
  "error-text": (turn) => say(turn, JSON.stringify({ error: { message: "402 no money" } })),
  "error-silent": () => END,

  // What nobody knows.
  "unknown-request": async (turn) => {
    const { error } = await turn.request("_vendor/what_now", {});
    return say(turn, `refused: ${(error as { code: number } | undefined)?.code}`);
  },
  "unasked-file": async (turn) => {
    const { error } = await turn.request("fs/write_text_file", { path: "/etc/hosts", content: "" });
    return say(turn, `refused: ${(error as { code: number } | undefined)?.code}`);
  },
  /** Asks its client to write a file, and to run a command that reads it. */
  "through-client": async (turn) => {
    const path = turn.argument;
    await turn.request("fs/write_text_file", { path, content: "by the client\n" });
    const { result } = await turn.request("terminal/create", { command: `cat ${path}` });
    const { terminalId } = result as { terminalId: string };
    await turn.request("terminal/wait_for_exit", { terminalId });
    await turn.request("terminal/output", { terminalId });
    const content = [{ type: "terminal", terminalId }];
    turn.update({
      sessionUpdate: "tool_call",
      toolCallId: "cat",
      title: "cat",
      status: "completed",
      content,
    });
    return END;
  },
  "unknown-words": (turn) => {
    turn.speaker.notify("_vendor/mood", { mood: "fine" });
    turn.update({ sessionUpdate: "mood_update", mood: "fine" });
    turn.update({ sessionUpdate: "agent_message_chunk", content: { type: "hologram" } });
    turn.update({ sessionUpdate: "tool_call" });
    turn.speaker.notify("session/update", {});
    return say(turn, "still here");
  },
  huge: (turn) => {
    const description = "x".repeat(1024);
    const availableCommands = Array.from({ length: 560 }, (_, place) => ({
      name: `command-${place}`,
      description,
    }));
    turn.update({ sessionUpdate: "available_commands_update", availableCommands });
    return say(turn, "said it all");
  },
};
