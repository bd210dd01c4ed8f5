/** An agent without a process whose abilities and declarations can differ: an honest one, or one that lies. */

import type { BackendAdapter, BackendSession, ConnectOptions } from "../../src/core/adapter.ts";
import type { BackendCapabilities } from "../../src/core/capability.ts";
import type { Command, CommandOf } from "../../src/core/command.ts";
import type { Draft } from "../../src/core/draft.ts";
import { InterlinguaError } from "../../src/core/error.ts";
import { extendSession } from "../../src/core/extend-session.ts";
import { promptText } from "../../src/core/prompt-part.ts";
import type { AdapterContract } from "../../src/testkit/adapter-contract/index.ts";
import { ScriptedAdapter, type ScriptedSession } from "../../src/testkit/scripted-adapter.ts";

export const EVERYTHING: BackendCapabilities = {
  streaming: true,
  permissions: true,
  questions: true,
  slashCommands: true,
  steer: true,
  reportsSteering: true,
  fork: true,
  resume: true,
  rewind: true,
  images: true,
  stopTasks: true,
  setModel: true,
  modes: ["build", "plan"],
  moreModes: false,
  permissionModes: ["default", "bypass"],
  availability: "local",
};

export const NOTHING: BackendCapabilities = {
  streaming: false,
  permissions: false,
  questions: false,
  slashCommands: false,
  steer: false,
  reportsSteering: false,
  fork: false,
  resume: false,
  rewind: false,
  images: false,
  stopTasks: false,
  setModel: false,
  modes: [],
  moreModes: false,
  permissionModes: ["default"],
  availability: "local",
};

export interface Abilities {
  readonly declared: BackendCapabilities;
  readonly able: BackendCapabilities;
}

/** The contract of an agent with these abilities. `change` makes it lie in other ways. */
export function contractOf(
  abilities: Abilities,
  change: (adapter: BackendAdapter) => BackendAdapter = (adapter) => adapter,
): AdapterContract {
  return {
    name: "able",
    createAdapter: () => change(createAbleAdapter(abilities)),
    connectOptions: () => ({ cwd: "/somewhere" }),
    failure: () => ({ options: { cwd: "/nowhere" } }),
    adapterOptions: { verbose: true },
    deadlineMs: 300,
    scenarios: {
      answer: { prompt: "answer", holds: (run) => run.text.includes("an answer") },
      stream: { prompt: "stream" },
      endless: { prompt: "endless" },
      permission: {
        prompt: "permit",
        isAllowed: (run) => run.text.includes("I did it"),
        isDenied: (run) => run.text.includes("I left it"),
      },
      question: {
        prompt: "question",
        answer: () => ({ answers: { q1: ["Green"] } }),
        holds: (run) => run.text.includes("Green it is"),
      },
      slashCommand: { prompt: "/help", holds: (run) => run.text.includes("commands: /help") },
      image: {
        prompt: "image",
        files: [{ type: "file", url: "data:image/png;base64,", mediaType: "image/png" }],
        holds: (run) => run.text.includes("image/png"),
      },
      memory: {
        told: "kestrel",
        prompt: "recall",
        holds: (run) => run.text.includes("earlier: kestrel"),
      },
      steering: {
        running: "endless",
        prompt: "steer left",
        holds: (run) => run.text.includes("I steer left"),
      },
      background: { prompt: "background" },
      model: {
        model: "small",
        prompt: "answer",
        holds: (run) => run.of("usage").at(-1)?.model === "small",
      },
    },
  };
}

export function createAbleAdapter({ declared, able }: Abilities): BackendAdapter {
  const scripted = new ScriptedAdapter(declared);
  const conversations = new Map<string, string[]>();
  return {
    name: "able",
    capabilities: declared,
    environmentKeys: [],
    probe: () => scripted.probe(),
    release: () => scripted.release(),
    async connect(options) {
      const earlier = beginning(options, { declared, able }, conversations);
      const session = await extendSession(declared, async (observe) => {
        const inner = await scripted.connect(options);
        inner.onOutput = observe;
        const agent = new AbleAgent(inner, { declared, able }, options, earlier);
        conversations.set(`native-${options.sessionId}`, agent.prompts);
        inner.onCommand = (command) => agent.take(command);
        return inner;
      });
      return declared.fork ? withFork(session, () => fork(session, able.fork, conversations)) : session;
    },
  };
}

function withFork(session: BackendSession, fork: () => Promise<string>): BackendSession {
  return { ...session, fork } as BackendSession;
}

async function fork(
  { sessionId }: BackendSession,
  works: boolean,
  conversations: Map<string, string[]>,
): Promise<string> {
  conversations.set("copy", works ? [...conversations.get(`native-${sessionId}`)!] : []);
  return "copy";
}

/** The prompts of the conversation that is taken up. */
function beginning(
  { cwd, adapterOptions = {}, resume, agentSessionId = "", fork }: ConnectOptions,
  { declared, able }: Abilities,
  conversations: ReadonlyMap<string, string[]>,
): string[] {
  if (cwd === "/nowhere") throw new InterlinguaError("agent_failed", "There is no such directory.");
  const strange = Object.keys(adapterOptions).filter((key) => key !== "verbose");
  if (strange.length > 0) throw new InterlinguaError("invalid_request", `Unknown options: ${strange}.`);
  if (fork) return able.fork ? [...(conversations.get(fork.agentSessionId) ?? [])] : [];
  if (!resume) return [];
  const known = conversations.get(agentSessionId);
  if (!known)
    throw new InterlinguaError("conversation_lost", `There is no conversation "${agentSessionId}".`);
  if (able.resume || (able.fork && agentSessionId === "copy")) return [...known];
  if (declared.resume) return [];
  throw new InterlinguaError("unsupported", "Conversations cannot be taken up.");
}

class AbleAgent {
  readonly prompts: string[];
  readonly #session: ScriptedSession;
  readonly #declared: BackendCapabilities;
  readonly #able: BackendCapabilities;
  #model = "large";
  #permissionMode: string;

  constructor(session: ScriptedSession, abilities: Abilities, options: ConnectOptions, earlier: string[]) {
    this.#session = session;
    this.#declared = abilities.declared;
    this.#able = abilities.able;
    this.#permissionMode = options.permissionMode ?? "default";
    this.prompts = earlier;
  }

  take(command: Command): void {
    if (command.type === "prompt") this.#prompt(command);
    if (command.type === "interrupt") this.#session.say({ type: "turn.ended", outcome: "interrupted" });
    if (command.type === "reply") this.#reply(command);
    if (command.type === "configure") this.#configure(command);
    if (command.type === "stopTask" && this.#can("stopTasks"))
      this.#session.say({ type: "task.ended", task: command.task, outcome: "stopped" });
    if (command.type === "rewind" && this.#can("rewind")) this.prompts.length = 0;
  }

  /** True: it does. False: it was said that it would, and it does not. */
  #can(ability: "steer" | "setModel" | "rewind" | "images" | "stopTasks"): boolean {
    if (!this.#able[ability] && !this.#declared[ability]) throw refusal(ability);
    return this.#able[ability] === true;
  }

  #prompt({ parts, steer }: CommandOf<"prompt">): void {
    const text = promptText(parts);
    if (steer) return this.#steer(text);
    const files = parts.filter((part) => part.type === "file");
    const seen = files.length > 0 && this.#can("images") ? files.map(({ mediaType }) => mediaType) : [];
    const earlier = this.prompts.join(", ");
    this.prompts.push(text);
    const { streaming, permissions, questions, slashCommands } = this.#able;
    switch (text) {
      case "endless":
        return this.#session.say(said("I begin"));
      case "background":
        this.#session.say({ type: "task.started", task: "k", title: "a server" });
        return this.#answer("It runs.");
      case "stream":
        return this.#answer(...(streaming ? ["one ", "two ", "three"] : ["one two three"]));
      case "recall":
        return this.#answer(`earlier: ${earlier}`);
      case "image":
        return this.#answer(`I see ${seen}`);
      case "/help":
        return this.#answer(slashCommands ? "commands: /help" : "What do you mean?");
      case "permit":
        return permissions && this.#permissionMode !== "bypass" ? this.#ask() : this.#answer("I did it");
      case "question":
        return questions ? this.#question() : this.#answer("No questions.");
      default:
        return this.#answer("an answer");
    }
  }

  #steer(text: string): void {
    if (!this.#can("steer")) return this.#answer("I go straight on");
    if (this.#able.reportsSteering) this.#session.say({ type: "prompt.taken" });
    this.#answer(`I ${text}`);
  }

  #ask(): void {
    this.#session.say(
      { type: "tool.start", call: "c1", name: "shell" },
      {
        type: "ask.opened",
        ask: "a1",
        kind: "permission",
        call: "c1",
        title: "May I?",
        options: [
          { id: "yes", label: "Yes", effect: "once" },
          { id: "no", label: "No", effect: "reject" },
        ],
      },
    );
  }

  #question(): void {
    const questions = [{ id: "q1", text: "Which?" }];
    this.#session.say({
      type: "ask.opened",
      ask: "a2",
      kind: "question",
      title: "Which?",
      options: [],
      questions,
    });
  }

  #reply({ ask, option, answers }: CommandOf<"reply">): void {
    if (ask === "a2") return this.#answer(`${answers?.q1} it is`);
    this.#answer(option === "yes" ? "I did it" : "I left it");
  }

  #configure({ model, mode, permissionMode }: CommandOf<"configure">): void {
    if (model !== undefined && this.#can("setModel")) this.#model = model;
    if (mode !== undefined && this.#able.modes.includes(mode))
      this.#session.say({ type: "session.updated", mode });
    if (permissionMode === undefined) return;
    const isAble = this.#able.permissionModes.some((known) => known === permissionMode);
    const isDeclared = this.#declared.permissionModes.some((known) => known === permissionMode);
    if (!isAble && !isDeclared) throw refusal(permissionMode);
    if (!isAble) return;
    this.#permissionMode = permissionMode;
    this.#session.say({ type: "session.updated", permissionMode });
  }

  #answer(...pieces: string[]): void {
    this.#session.say(...pieces.map(said));
    this.#session.say({ type: "usage", input: 1, output: 1, model: this.#model });
    this.#session.say({ type: "turn.ended", outcome: "completed" });
  }
}

function said(delta: string): Draft {
  return { type: "text.delta", delta };
}

function refusal(ability: string): InterlinguaError {
  return new InterlinguaError("unsupported", `This agent has no ${ability}.`);
}
