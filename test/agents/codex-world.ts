/** Worlds for Codex. */
import { join } from "node:path";
import type { ScriptedModel } from "../../src/testkit/scripted-model/index.ts";
import { type AgentUnderTest, AgentWorld, type WorldOptions } from "./agent-world.ts";

const CONFIG_FILE = ".codex/config.toml";

export interface CodexWorldOptions extends WorldOptions {
  /** Codex's own provider at the address of the scripted model, which needs somebody to be signed in. */
  readonly isBuiltIn?: boolean;
}

/** A provider of the user's own: the scripted model, that gives up soon. Nothing else is spoken to. */
export function codexConfig({ url }: Pick<ScriptedModel, "url">): string {
  return `model = "gpt-5.5"
model_provider = "scripted"
[model_providers.scripted]
name = "Scripted"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "OPENAI_API_KEY"
request_max_retries = 1
stream_max_retries = 1
supports_websockets = false
[features]
plugins = false
`;
}

function builtInConfig({ url }: Pick<ScriptedModel, "url">): string {
  return `model = "gpt-5.5"
openai_base_url = "${url}/v1"
[features]
plugins = false
`;
}

export const CODEX_AGENT: AgentUnderTest = {
  name: "codex",
  environment: () => ({ OPENAI_API_KEY: "sk-scripted" }),
  files: (model) => ({ [CONFIG_FILE]: codexConfig(model) }),
};

export function codexWorld({ isBuiltIn, ...options }: CodexWorldOptions): Promise<AgentWorld> {
  const files: AgentUnderTest["files"] = (model) => ({ [CONFIG_FILE]: builtInConfig(model) });
  return AgentWorld.start({ ...CODEX_AGENT, ...(isBuiltIn && { files }) }, options);
}

export function codexConfigFile(world: AgentWorld): string {
  return join(world.home, CONFIG_FILE);
}
