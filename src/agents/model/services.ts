/** What the config gives the model agent to work with. */
import type { ModelProviders, WebAccess } from "../../core/model-provider.ts";
import { type ModelAgent, OWN_VARIABLES } from "./manifest.ts";
import { type Environment, providerVariables } from "./providers.ts";

export interface ModelServices {
  readonly providers: ModelProviders;
  /** What its tools may reach. */
  readonly web?: WebAccess;
}

/** The variables of the daemon that are the agent's own: of its only provider, or of all. */
export function variables({ provider }: ModelAgent, { providers, web }: ModelServices): string[] {
  return [...OWN_VARIABLES, ...providerVariables(providers, provider), ...searchVariables(web)];
}

/** Those that lead to models and searches: addresses, which may hold a password, and keys. */
export function accessVariables({ providers, web }: ModelServices): string[] {
  return [...providerVariables(providers), ...searchVariables(web)];
}

function searchVariables(web: WebAccess | undefined): string[] {
  return web?.search && "keyEnv" in web.search ? [web.search.keyEnv] : [];
}

/** Those of the names that are set. */
export function pickVariables(names: readonly string[], environment: Environment): Record<string, string> {
  const isSet = (entry: readonly [string, string | undefined]): entry is [string, string] =>
    entry[1] !== undefined;
  return Object.fromEntries(names.map((name) => [name, environment[name]] as const).filter(isSet));
}
