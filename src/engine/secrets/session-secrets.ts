/**
 * A session's secrets: which values are secret, where they are masked, and how placeholders are resolved for the agent.
 */
import type { ConnectOptions } from "../../core/adapter.ts";
import { InterlinguaError } from "../../core/error.ts";
import type { SessionState } from "../../core/session-state.ts";
import type { CreateSession, UpdateSession } from "../../protocol/commands/command-types.ts";
import type { ConfiguredAgent } from "../engine-services.ts";
import { placeholdersIn } from "./placeholder.ts";
import { SecretMask } from "./secret-mask.ts";

type Environment = Readonly<Record<string, string>>;

/**
 * Every value of the session's own environment is secret; of the config's all but the plain ones. Earlier ones are masked,
 * too.
 */
export function maskFor(
  settings: ConfiguredAgent | undefined,
  environment: Environment = {},
  earlier: Iterable<readonly [name: string, value: string]> = [],
): SecretMask {
  const given = Object.entries(settings?.environment ?? {});
  const isPlain = ([name]: readonly [string, string]) => settings?.plain?.includes(name) ?? false;
  const secrets = [...given.filter((entry) => !isPlain(entry)), ...Object.entries(settings?.secrets ?? {})];
  return new SecretMask([...earlier, ...secrets, ...Object.entries(environment)], given.filter(isPlain));
}

/** Masks the free fields of a request. The others have to stay as they are. */
export function maskFreeFields<Some extends CreateSession | UpdateSession>(
  mask: SecretMask,
  request: Some,
): Some {
  const free = ["title", "metadata", "mcpServers", "options"] as const;
  const masked = { ...request } as Partial<CreateSession>;
  for (const field of free)
    if (masked[field] !== undefined) Object.assign(masked, { [field]: mask.value(masked[field]) });
  return masked as Some;
}

/** Throws if a client sends a placeholder where the agent needs a value. */
export function assertNoPlaceholders({ model, mode, permissionMode, settings, env }: UpdateSession): void {
  const values = { model, mode, permissionMode };
  const given = [
    ...Object.entries(values),
    ...Object.entries(settings ?? {}).map(([id, value]) => [`settings.${id}`, String(value)] as const),
    ...Object.entries(env ?? {}).map(([name, value]) => [`env.${name}`, value] as const),
  ];
  const errors = given.flatMap(([path, value = ""]) =>
    placeholdersIn(value).map((placeholder) => ({
      path,
      message: `has ${placeholder}, which stands for a value: give the value`,
    })),
  );
  const [first] = errors;
  if (first) throw new InterlinguaError("invalid_request", `${first.path} ${first.message}.`, { errors });
}

export type StartSettings = Pick<
  ConnectOptions,
  "model" | "mode" | "permissionMode" | "mcpServers" | "adapterOptions"
>;

/** The options the agent is started with. One with a placeholder of an unknown value is left out and named. */
export function startSettings(
  { model, mode, permissionMode, mcpServers, options }: SessionState,
  mask: SecretMask,
): { settings: StartSettings; dropped: string[] } {
  const dropped: string[] = [];
  const isKept = (path: string, placeholders: readonly string[]) => {
    if (placeholders.length > 0) dropped.push(`${path} (${placeholders.join(", ")})`);
    return placeholders.length === 0;
  };
  // These are never masked: a placeholder comes from an older log, and the agent uses its own choice.
  const word = (path: string, value: string | undefined) =>
    isKept(path, placeholdersIn(value ?? "")) ? value : undefined;
  const record = (path: string, value: Record<string, unknown> | undefined) => {
    const entries = Object.entries(value ?? {});
    const kept = entries.filter((entry) => isKept(`${path}.${entry[0]}`, mask.unknownIn(entry)));
    return value && mask.reveal(Object.fromEntries(kept));
  };
  const settings = {
    model: word("model", model),
    mode: word("mode", mode),
    permissionMode: word("permissionMode", permissionMode),
    mcpServers: record("mcpServers", mcpServers),
    adapterOptions: record("options", options),
  };
  return { settings, dropped };
}
