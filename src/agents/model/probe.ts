/** Probes the agent: it is always there, and can be used once there is a key or a model that needs none. */
import type { AgentStatus } from "../../core/capability.ts";
import { withListedModels } from "./list-models.ts";
import { type ModelAgent, VERSION } from "./manifest.ts";
import { type Environment, isUsable, keyRemedy, resolveProviders } from "./providers.ts";
import type { ModelServices } from "./services.ts";

export async function probe(
  { provider: own }: ModelAgent,
  { providers: configured }: ModelServices,
  environment: Environment,
): Promise<AgentStatus> {
  const all = resolveProviders(configured, environment);
  const offered = own ? new Map([...all].filter(([name]) => name === own)) : all;
  const providers = [...(await withListedModels(offered, environment)).values()];
  const usable = providers.filter((provider) => isUsable(provider, environment));
  const models = usable.flatMap(({ name, models: known }) =>
    known.map((model) => ({ id: `${name}/${model}` })),
  );
  const status = { installed: true, version: VERSION };
  if (usable.length > 0) return { ...status, signedIn: true, models };
  const [only] = providers;
  if (own && only) return { ...status, signedIn: false, remedy: keyRemedy(only) };
  const keys = providers
    .filter(({ needsKey }) => needsKey)
    .flatMap(({ keyVariables }) => keyVariables[0] ?? []);
  const remedy = `Set one of ${keys.join(", ")} in the daemon's environment. For models of your own set OLLAMA_HOST, or describe their server under \`providers\` in the config file.`;
  return { ...status, signedIn: false, remedy };
}
