/** The agent: its sessions, what it answers, and which scenario a prompt names. */
import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Fields, Id, Speaker } from "./speaker.ts";
import { LATER_VERSION } from "./start-faults.ts";
import { Turn, type TurnEnd } from "./turn.ts";
import { TURNS } from "./turns.ts";

export class Agent {
  readonly #speaker: Speaker;
  readonly #fault: string;
  readonly #memory: string;
  #session = randomUUID() as string;
  #told: string[] = [];
  #turn: Turn | undefined;
  /** As real agents do, it takes its model from the environment too. */
  #model = process.env.AGENT_MODEL ?? "large";

  constructor(speaker: Speaker, fault: string, memory: string) {
    this.#speaker = speaker;
    this.#fault = fault;
    this.#memory = memory;
  }

  hear(message: Fields): void {
    if (this.#speaker.takeAnswer(message)) return;
    const { id, method } = message as { id?: Id; method?: string };
    const params = (message.params ?? {}) as Fields;
    if (method === "session/cancel") this.#turn?.cancel();
    if (id === undefined) return;
    switch (method) {
      case "initialize":
        return this.#introduce(id);
      case "session/new":
        return this.#open(id);
      case "session/load":
      case "session/resume":
        return this.#load(id, String(params.sessionId));
      case "session/prompt":
        return void this.#prompt(id, params.prompt as Fields[]);
      case "session/set_config_option":
        this.#model = String(params.value);
        // Nothing but an empty object, as one real agent does it.
        return this.#speaker.answer(id, {});
      default:
        return this.#speaker.fail(id, -32601, "Method not found");
    }
  }

  #introduce(id: Id): void {
    if (this.#fault === "refuses") return this.#speaker.fail(id, -32602, "Invalid params", "not with you");
    if (this.#fault === "later-version") return this.#speaker.answer(id, LATER_VERSION);
    this.#speaker.answer(id, {
      protocolVersion: 1,
      agentInfo: { name: "misbehaving", version: "1.0.0" },
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: true },
        ...(this.#fault === "retells" && { sessionCapabilities: { resume: {} } }),
      },
      authMethods: [{ id: "key", name: "API key", description: "Set AGENT_KEY" }],
    });
  }

  #open(id: Id): void {
    if (this.#fault === "wants-sign-in") return this.#speaker.fail(id, -32000, "Authentication required");
    const isNameless = this.#fault === "no-session-id";
    this.#speaker.answer(id, {
      ...(!isNameless && { sessionId: this.#session }),
      configOptions: this.#options(),
    });
    this.#update({
      sessionUpdate: "available_commands_update",
      availableCommands: [{ name: "help", description: "Tells what there is." }],
    });
  }

  /** Tells the history before its answer, and a part of it once more after that. */
  #load(id: Id, session: string): void {
    this.#session = session;
    if (this.#fault === "cannot-load") return this.#speaker.fail(id, -32603, "Internal error", "try again");
    if (!existsSync(this.#file)) return this.#speaker.fail(id, -32602, "Unknown session identifier");
    this.#told = JSON.parse(readFileSync(this.#file, "utf8"));
    const replay = () => {
      for (const text of this.#told) {
        this.#update({ sessionUpdate: "user_message_chunk", content: { type: "text", text } });
        this.#update({
          sessionUpdate: "agent_message_chunk",
          content: { type: "text", text: "an old answer" },
        });
        this.#update({ sessionUpdate: "tool_call", toolCallId: "old", title: "old", status: "completed" });
      }
    };
    replay();
    this.#speaker.answer(id, { configOptions: this.#options() });
    replay();
  }

  async #prompt(id: Id, prompt: Fields[]): Promise<void> {
    if (this.#turn) return this.#speaker.fail(id, -32603, "Internal error", "one prompt at a time");
    const words = prompt.map(({ text }) => text ?? "").join(" ");
    const [name = "", ...rest] = words.split(" ");
    const argument = rest.join(" ").trim();
    const turn = new Turn({ id, session: this.#session, prompt, argument, speaker: this.#speaker });
    this.#turn = turn;
    const end = await this.#play(name, turn);
    this.#turn = undefined;
    this.#remember(words);
    if (end === "done") return;
    if ("error" in end) this.#speaker.fail(id, end.error.code, end.error.message, end.error.data);
    else this.#speaker.answer(id, end.result);
  }

  async #play(name: string, turn: Turn): Promise<TurnEnd> {
    const end: TurnEnd = { result: { stopReason: "end_turn" } };
    if (name === "/help") turn.say("There is help.");
    else if (name === "recall") turn.say(this.#told.join("; "));
    else if (name === "model") turn.say(`model: ${this.#model}`);
    else if (TURNS[name]) return TURNS[name](turn);
    else turn.say("noted");
    return end;
  }

  #remember(words: string): void {
    this.#told.push(words);
    if (this.#memory !== "") writeFileSync(this.#file, JSON.stringify(this.#told));
  }

  get #file(): string {
    return join(this.#memory, `${this.#session}.json`);
  }

  #options(): Fields[] {
    const options = [...new Set(["large", "small", this.#model])].map((value) => ({ value, name: value }));
    return [
      { id: "model", name: "Model", category: "model", type: "select", currentValue: this.#model, options },
    ];
  }

  #update(update: Fields): void {
    this.#speaker.notify("session/update", { sessionId: this.#session, update });
  }
}
