/** The settings of a conversation: model, permissions and effort. */
import { RequestError } from "../../transport/request-error.ts";
import { EFFORTS, PERMISSIONS } from "../manifest.ts";
import {
  defaultModel,
  describeUnknownModel,
  type Environment,
  isUsable,
  type Provider,
  readModelName,
} from "../providers.ts";
import type { WireConfiguration } from "../wire.ts";

export interface Offer {
  readonly providers: ReadonlyMap<string, Provider>;
  /** The only provider there is. */
  readonly ownProvider?: string;
}

/** Of a new conversation. Throws for what there is not. */
export function initialConfiguration(
  offer: Offer,
  environment: Environment,
  wanted: Partial<WireConfiguration>,
): WireConfiguration {
  const model = wanted.model ?? usualModel(offer, environment);
  return changeConfiguration(offer, { model, permissions: "default", effort: "default" }, wanted);
}

function usualModel({ providers, ownProvider }: Offer, environment: Environment): string {
  const usual = defaultModel(providers, environment, ownProvider);
  if (usual) return `${usual.provider}/${usual.model}`;
  const all = [...providers.values()];
  const isNamed = ({ name }: Provider) => name === ownProvider;
  const asked = all.find(ownProvider ? isNamed : (provider) => isUsable(provider, environment)) ?? all[0]!;
  const { name, title, url, asksForModels } = asked;
  const reason = asksForModels ? `${title} at ${url} names none` : `providers.${name}.models is empty`;
  const otherwise = ownProvider ? "" : ", or set the key of another provider";
  throw new RequestError(
    "unknown_model",
    `No model is chosen, and ${reason}. Name one with \`--model ${name}/NAME\` or \`providers.${name}.models\` in the config file${otherwise}.`,
  );
}

/** Throws for what there is not. Whether a provider has a model, only the provider knows. */
export function changeConfiguration(
  offer: Offer,
  former: WireConfiguration,
  {
    model = former.model,
    permissions = former.permissions,
    effort = former.effort,
  }: Partial<WireConfiguration>,
): WireConfiguration {
  if (!Object.values(PERMISSIONS).includes(permissions)) {
    throw new RequestError("unknown_permissions", `There are no permissions "${permissions}".`);
  }
  if (!EFFORTS.some(({ id }) => id === effort)) {
    const names = EFFORTS.map(({ id }) => id).join(", ");
    throw new RequestError("unknown_effort", `There is no effort "${effort}", only ${names}.`);
  }
  return { model: fullModelName(offer, model), permissions, effort };
}

function fullModelName({ providers, ownProvider }: Offer, text: string): string {
  const name = readModelName(text, providers, ownProvider);
  if (name) return `${name.provider}/${name.model}`;
  throw new RequestError("unknown_model", describeUnknownModel(text, providers, ownProvider));
}
