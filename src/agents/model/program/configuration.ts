/** The settings of a conversation: model, permissions and effort. */
import { RequestError } from "../../transport/request-error.ts";
import { EFFORTS, PERMISSIONS } from "../manifest.ts";
import { defaultModel, type Environment, type Provider, readModelName } from "../providers.ts";
import type { WireConfiguration } from "../wire.ts";

export interface Offer {
  readonly providers: ReadonlyMap<string, Provider>;
  /** The only provider there is. */
  readonly ownProvider?: string;
}

export function initialConfiguration(offer: Offer, environment: Environment): WireConfiguration {
  const { provider, model } = defaultModel(offer.providers, environment, offer.ownProvider);
  return { model: `${provider}/${model}`, permissions: "default", effort: "default" };
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
  const names = [...providers.keys()].join(", ");
  throw new RequestError(
    "unknown_model",
    `"${text}" names no model. Write provider/model with one of the providers ${names}, or describe another provider under \`providers\` in the config file.`,
  );
}
