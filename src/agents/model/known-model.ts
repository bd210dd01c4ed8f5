/** Refuses a model of a provider that there is not, before a session is made with it. */
import { InterlinguaError } from "../../core/error.ts";
import { withListedModels } from "./list-models.ts";
import type { ModelAgent } from "./manifest.ts";
import { describeUnknownModel, type Environment, readModelName, resolveProviders } from "./providers.ts";
import type { ModelServices } from "./services.ts";

/** Throws `unsupported`. A name without a provider may be one that only the session's own server has. */
export async function assertProviderOf(
  model: string | undefined,
  { provider: own }: ModelAgent,
  { providers: configured }: ModelServices,
  environment: Environment,
): Promise<void> {
  if (!model?.includes("/")) return;
  const known = resolveProviders(configured, environment);
  if (readModelName(model, known, own)) return;
  // Names of models may have a slash of their own.
  const listed = await withListedModels(known, environment);
  if (!readModelName(model, listed, own))
    throw new InterlinguaError("unsupported", describeUnknownModel(model, listed, own));
}
