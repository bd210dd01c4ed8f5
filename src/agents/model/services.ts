/** What the config gives the model agent to work with. */
import type { ModelProviders, WebAccess } from "../../core/model-provider.ts";
import { OWN_VARIABLES } from "./manifest.ts";
import { providerVariables } from "./providers.ts";

export interface ModelServices {
  readonly providers: ModelProviders;
  /** What its tools may reach. */
  readonly web?: WebAccess;
}

/** The variables of the daemon that the agent's process gets. */
export function variables({ providers, web }: ModelServices): string[] {
  const search = web?.search && "keyEnv" in web.search ? [web.search.keyEnv] : [];
  return [...OWN_VARIABLES, ...providerVariables(providers), ...search];
}
