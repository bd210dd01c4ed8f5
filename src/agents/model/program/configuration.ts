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
  const setting = `providers.${ownProvider ?? "NAME"}.models in the config file`;
  throw new RequestError(
    "unknown_model",
    `No model is named, and there is no default: ${setting} is empty. Name a model, or fill that list.`,
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
  const own = ownProvider === undefined ? undefined : providers.get(ownProvider);
  if (own)
    throw new RequestError(
      "unknown_model",
      `"${text}" is no model of ${own.title}, the only provider of this agent. Use the agent "model" for other providers, or write ${own.name}/${text || "MODEL"} if ${own.title} has a model of that name.`,
    );
  const names = [...providers.keys()].join(", ");
  throw new RequestError(
    "unknown_model",
    `"${text}" names no model. Write provider/model with one of the providers ${names}, or describe another provider under \`providers\` in the config file.`,
  );
}
