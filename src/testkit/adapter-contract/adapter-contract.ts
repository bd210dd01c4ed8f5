/** What the author of an adapter tells the contract suite: how to get the adapter, and what makes its agent do things. */
import type { BackendAdapter, ConnectOptions } from "../../core/adapter.ts";
import type { AskAnswer } from "../../core/ask.ts";
import type { PermissionMode } from "../../core/capability.ts";
import type { EventOf } from "../../core/event.ts";
import type { PromptPart } from "../../core/prompt-part.ts";
import type { SessionRun } from "../session-run.ts";

/** A prompt, and how one sees that the agent did what the prompt is for. */
export interface Scenario {
  readonly prompt: string;
  holds(run: SessionRun): boolean;
}

/**
 * All are needed, whatever the agent declares: what is declared is shown to work, and what is not declared is shown
 * not to. An agent that has no slash commands gets a prompt that looks like one and does not hold.
 */
export interface ContractScenarios {
  /** It is answered with a little text. */
  readonly answer: Scenario;
  /** It is answered with a longer text. */
  readonly stream: { readonly prompt: string };
  /** It works and says something, and does not end before it is interrupted. */
  readonly endless: { readonly prompt: string };
  /** The agent wants to do something that needs a permission. What is seen of it after a yes, and after a no. */
  readonly permission: {
    readonly prompt: string;
    isAllowed(run: SessionRun): boolean;
    isDenied(run: SessionRun): boolean;
    /** Needed where its ask is `editable`: another input than the agent's, and whether that was run. */
    readonly edited?: {
      change(input: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
      holds(run: SessionRun): boolean;
    };
  };
  /** The agent puts a question. `holds`: it got the answer. */
  readonly question: Scenario & { answer(ask: EventOf<"ask.opened">): AskAnswer };
  readonly slashCommand: Scenario;
  /** `holds`: the agent got the image. */
  readonly image: Scenario & { readonly files: readonly PromptPart[] };
  /** `holds`: it still knew what it was told in an earlier turn. */
  readonly memory: Scenario & { readonly told: string };
  /** `prompt` comes while `running` is worked on. `holds`: it was taken up in the same turn. */
  readonly steering: Scenario & { readonly running: string };
  /** It begins a task that goes on after its turn until it is stopped. Needed where `stopTasks` is declared. */
  readonly background?: { readonly prompt: string };
  /** `holds`: the turn was done by `model`, which is not the one a session begins with. */
  readonly model: Scenario & { readonly model: string };
}

export interface AdapterContract {
  /** The title of the suite. */
  readonly name: string;
  createAdapter(): BackendAdapter | Promise<BackendAdapter>;
  /** What every session is connected with. */
  connectOptions(): Omit<ConnectOptions, "sessionId">;
  /** A connection that has to fail: an adapter whose program is missing, or options that cannot work. */
  failure(): { adapter?: BackendAdapter; options?: Partial<ConnectOptions> };
  /** Settings of this adapter alone, as its documentation has them. */
  readonly adapterOptions: Readonly<Record<string, unknown>>;
  readonly scenarios: ContractScenarios;
  /** Those of the declared permission modes that can be had where the tests run. All when absent. */
  readonly permissionModes?: readonly PermissionMode[];
  /** One process may serve several sessions. It has the marker of the one that started it, and outlives that. */
  readonly sharesProcesses?: boolean;
  /** How long to wait for anything. */
  readonly deadlineMs?: number;
}

/** Throws where the adapter does not keep the contract. */
export type AdapterCheck = (contract: AdapterContract) => Promise<void>;
