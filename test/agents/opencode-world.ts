/** Worlds for OpenCode. */
import {
  chooseByTag,
  type ModelRequest,
  type ScriptedModel,
} from "../../src/testkit/scripted-model/index.ts";
import type { AgentSession } from "./agent-session.ts";
import { type AgentUnderTest, AgentWorld, type WorldOptions } from "./agent-world.ts";

/** A provider that is the scripted model, with two models of it. */
export const MODEL = "scripted/large";
export const OTHER_MODEL = "scripted/small";

const LIMITS = { limit: { context: 128_000, output: 8192 }, tool_call: true, attachment: true };

function environment({ url }: { url: string }): Record<string, string> {
  const modalities = { input: ["text", "image"], output: ["text"] };
  const configuration = {
    model: MODEL,
    provider: {
      scripted: {
        npm: "@ai-sdk/anthropic",
        name: "Scripted",
        options: { baseURL: `${url}/v1`, apiKey: "sk-scripted" },
        models: {
          large: { name: "Large", reasoning: true, modalities, ...LIMITS },
          small: { name: "Small", modalities, ...LIMITS },
        },
      },
    },
  };
  return {
    OPENCODE_CONFIG_CONTENT: JSON.stringify(configuration),
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
    OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
  };
}

/** Speaks with the scripted model and nobody else. */
export const OPENCODE_AGENT: AgentUnderTest = {
  name: "opencode",
  environment,
  // A title is made of the first prompt, tag and all; it is no part of the script.
  choose: (request) => (isTitleRequest(request) ? undefined : chooseByTag(request)),
};

export function openCodeWorld(options: WorldOptions): Promise<AgentWorld> {
  return AgentWorld.start(OPENCODE_AGENT, options);
}

/** With a model, so that one server will do, and without permissions to ask for. */
export function openCodeSession(world: AgentWorld, fields: object = {}): Promise<AgentSession> {
  return world.session({ model: MODEL, permissionMode: "bypass", ...fields });
}

/** What the model was shown last, as text. */
export function lastMessages({ model }: AgentWorld): string {
  return JSON.stringify(conversationRequests(model).at(-1)?.body.messages);
}

/** The requests of conversations, without those for titles. */
export function conversationRequests({ requests }: ScriptedModel): ScriptedModel["requests"] {
  return requests.filter((request) => !isTitleRequest(request));
}

function isTitleRequest({ body }: ModelRequest): boolean {
  return JSON.stringify(body.system ?? "").includes("title generator");
}
