/** One conversation while its process runs: it answers requests and plays one turn after the other. */
import { untilAborted } from "../../../core/until-aborted.ts";
import type { ProgramOutput } from "../../transport/program-output.ts";
import { RequestError } from "../../transport/request-error.ts";
import type { Environment } from "../providers.ts";
import type {
  OpenParams,
  PromptParams,
  PromptResult,
  WireConfiguration,
  WireEvent,
  WireRequest,
  WireResponse,
} from "../wire.ts";
import { type Asking, askUser, proposePlan } from "./asking-tools.ts";
import { Asks } from "./asks.ts";
import { isCommand } from "./commands.ts";
import { Compactor } from "./compaction.ts";
import { changeConfiguration, type Offer } from "./configuration.ts";
import type { Conversation } from "./conversation.ts";
import type { LoopTool } from "./loop-tool.ts";
import type { Permissions } from "./permissions.ts";
import type { ResultStore } from "./tools/result-store.ts";
import type { WebSettings } from "./tools/web/web-settings.ts";
import { Turn } from "./turn.ts";

export type Output = ProgramOutput<WireEvent | WireResponse>;

/** What a conversation is made of and works with. */
export interface SessionMeans {
  readonly output: Output;
  readonly conversation: Conversation;
  readonly permissions: Permissions;
  readonly results: ResultStore;
  readonly offer: Offer;
  readonly cwd: string;
  /** With the keys of providers. */
  readonly environment: Environment;
  /** Without them. */
  readonly commandEnvironment: Readonly<Record<string, string>>;
  readonly web: WebSettings;
  readonly limits: Pick<OpenParams, "maxSteps" | "compactAt" | "keepMessages" | "maxRetries">;
  readonly extraInstructions?: string;
  /** Those that need no person to run. */
  readonly ownTools: readonly LoopTool[];
  readonly mcpTools: Promise<readonly LoopTool[]>;
}

export class ModelSession {
  readonly means: SessionMeans;
  readonly asks = new Asks();
  readonly compactor = new Compactor();
  readonly today = new Date().toISOString().slice(0, 10);
  configuration: WireConfiguration;
  readonly #counters = new Map<string, number>();
  /** The turn that runs and those that wait for it. */
  readonly #turns: Turn[] = [];
  #allPlayed: Promise<void> = Promise.resolve();
  #requests = 0;
  /** Whether the first prompt may name it. */
  #isUnnamed: boolean;

  constructor(means: SessionMeans, configuration: WireConfiguration, isUnnamed: boolean) {
    this.means = means;
    this.configuration = configuration;
    this.#isUnnamed = isUnnamed;
  }

  nextId(kind: string): string {
    const count = (this.#counters.get(kind) ?? 0) + 1;
    this.#counters.set(kind, count);
    return `${kind}-${count}`;
  }

  nextRequest(): number {
    this.#requests += 1;
    return this.#requests;
  }

  async tools(ask: Asking["ask"], signal: AbortSignal): Promise<readonly LoopTool[]> {
    const mcpTools = await untilAborted(this.means.mcpTools, signal);
    const setPermissions = (permissions: WireConfiguration["permissions"]) =>
      void this.configure({ permissions });
    const asking = { ask, setPermissions };
    const plan = this.configuration.permissions === "plan" ? [proposePlan(asking)] : [];
    return [...this.means.ownTools, askUser(asking), ...plan, ...mcpTools];
  }

  /** Gives the result of a request; throws `RequestError`. */
  handle(request: WireRequest): unknown {
    switch (request.method) {
      case "prompt":
        return this.#takePrompt(request.params);
      case "interrupt":
        for (const turn of this.#turns) turn.interrupt();
        return { interrupted: this.#turns.length > 0 };
      case "answer":
        if (this.asks.answer(request.params)) return {};
        throw new RequestError("ask_not_open", `The ask ${request.params.ask} is not open.`);
      case "configure":
        return this.configure(request.params);
      case "rewind":
        return this.#rewind(request.params.before);
      case "open":
        throw new RequestError("already_open", "This process has a conversation already.");
      default:
        throw new RequestError("unknown_method", "There is no such method.");
    }
  }

  configure(change: Partial<WireConfiguration>): WireConfiguration {
    this.configuration = changeConfiguration(this.means.offer, this.configuration, change);
    void this.means.output.send({ event: "configuration", configuration: this.configuration });
    return this.configuration;
  }

  #takePrompt(prompt: PromptParams): PromptResult {
    if (!prompt.steer) this.#enqueue(prompt);
    else if (!this.#turns[0]?.steer(prompt))
      throw new RequestError("turn_over", "the turn ended before it was taken up");
    return { accepted: this.nextId("prompt") };
  }

  #enqueue(prompt: PromptParams): void {
    this.#nameAfter(prompt);
    const turn = new Turn(this, prompt);
    this.#turns.push(turn);
    this.#allPlayed = this.#allPlayed.then(async () => {
      await turn.run();
      this.#turns.shift();
    });
  }

  /** Once at most: what it is called later is up to the person and the model. */
  #nameAfter({ title, text }: PromptParams): void {
    if (!this.#isUnnamed || title === undefined || isCommand(text)) return;
    this.#isUnnamed = false;
    void this.means.output.send({ event: "title", title });
  }

  #rewind(before: string): object {
    if (this.#turns.length > 0) {
      throw new RequestError("busy", "The conversation cannot be rewound while a turn runs.");
    }
    const { conversation, permissions } = this.means;
    if (conversation.forgetFrom(before)) {
      permissions.replace(conversation.rules);
      return {};
    }
    // It never got that prompt, and cannot know what came after it. The next process is given what is left.
    setImmediate(() => process.exit(0));
    throw new RequestError("unknown_prompt", `The prompt ${before} is not part of this conversation.`);
  }
}
