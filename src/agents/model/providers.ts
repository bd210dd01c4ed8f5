/**
 * The providers of models: those that are built in, with what the config says of them. Pure, and without the libraries
 * that speak with them: the daemon uses it too.
 */
import type {
  BUILT_IN_PROVIDERS,
  ModelPrice,
  ModelProvider,
  ModelProviders,
  ProviderType,
} from "../../core/model-provider.ts";

/** A provider with everything filled in that is known of it. */
export interface Provider {
  readonly name: string;
  readonly title: string;
  readonly type: ProviderType;
  /** Variables of which the first one that is set holds the key. */
  readonly keyVariables: readonly string[];
  /** Whether it answers nothing without a key. */
  readonly needsKey: boolean;
  /** Whether somebody has named it or its address: one that needs no key is not taken for there otherwise. */
  readonly isWanted: boolean;
  readonly url: string;
  /** What sets the address, for whoever has to change it. */
  readonly urlSetting: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly models: readonly string[];
  /** Whether only its server knows what models it has. */
  readonly asksForModels: boolean;
  readonly window?: number;
  readonly prices: Readonly<Record<string, ModelPrice>>;
}

interface BuiltIn extends Pick<Provider, "title" | "type" | "keyVariables" | "url" | "models"> {
  readonly urlVariable: string;
}

/** In this order one is chosen when a session names no model. */
const BUILT_IN_BY_NAME: Readonly<Record<(typeof BUILT_IN_PROVIDERS)[number], BuiltIn>> = {
  anthropic: {
    title: "Anthropic",
    type: "anthropic",
    keyVariables: ["ANTHROPIC_API_KEY"],
    urlVariable: "ANTHROPIC_BASE_URL",
    url: "https://api.anthropic.com/v1",
    models: [
      "claude-sonnet-4-5",
      "claude-sonnet-5-5",
      "claude-opus-5-5",
      "claude-opus-5",
      "claude-haiku-4-5",
    ],
  },
  openai: {
    title: "OpenAI",
    type: "openai",
    keyVariables: ["OPENAI_API_KEY"],
    urlVariable: "OPENAI_BASE_URL",
    url: "https://api.openai.com/v1",
    models: ["gpt-5.1", "gpt-5.6", "gpt-5.5", "gpt-5-mini", "gpt-4.1"],
  },
  google: {
    title: "Google",
    type: "google",
    keyVariables: ["GOOGLE_GENERATIVE_AI_API_KEY", "GEMINI_API_KEY"],
    urlVariable: "GOOGLE_GEMINI_BASE_URL",
    url: "https://generativelanguage.googleapis.com/v1beta",
    models: ["gemini-2.5-pro", "gemini-3.8-flash", "gemini-2.5-flash"],
  },
  ollama: {
    title: "Ollama",
    type: "openai-compatible",
    keyVariables: ["OLLAMA_API_KEY"],
    urlVariable: "OLLAMA_HOST",
    url: "http://127.0.0.1:11434/v1",
    models: [],
  },
};
const BUILT_IN: Readonly<Record<string, BuiltIn>> = BUILT_IN_BY_NAME;

/** What an address without a path means: the versions that the services' own tools add. */
const ROOT_PATHS: Readonly<Record<ProviderType, string>> = {
  anthropic: "/v1",
  openai: "/v1",
  google: "/v1beta",
  "openai-compatible": "/v1",
};

const VARIABLE = /\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})/g;

export type Environment = Readonly<Record<string, string | undefined>>;

/** The built-in ones and those of the config, by name. */
export function resolveProviders(
  configured: ModelProviders,
  environment: Environment,
): ReadonlyMap<string, Provider> {
  const names = [...new Set([...Object.keys(BUILT_IN), ...Object.keys(configured)])];
  return new Map(names.map((name) => [name, resolveProvider(name, configured, environment)]));
}

function resolveProvider(name: string, configured: ModelProviders, environment: Environment): Provider {
  const isConfigured = Object.hasOwn(configured, name);
  const given = (isConfigured && configured[name]) || {};
  const known = Object.hasOwn(BUILT_IN, name) ? BUILT_IN[name] : undefined;
  const models = given.models ?? known?.models ?? [];
  const type = given.type ?? known?.type ?? "openai-compatible";
  const { address, headers } = withoutUser(addressOf(name, type, given, environment));
  return {
    name,
    title: known?.title ?? name,
    type,
    keyVariables: given.keyEnv === undefined ? (known?.keyVariables ?? []) : [given.keyEnv],
    needsKey: type !== "openai-compatible" || given.keyEnv !== undefined,
    isWanted: isConfigured || Boolean(known && environment[known.urlVariable]?.trim()),
    url: address === "" ? "" : withRootPath(address, type),
    urlSetting: known ? `${known.urlVariable} or providers.${name}.url` : `providers.${name}.url`,
    headers: { ...headers, ...withLowerCaseNames(given.headers ?? {}) },
    models,
    asksForModels: type === "openai-compatible" && given.models === undefined && models.length === 0,
    window: given.window,
    prices: given.prices ?? {},
  };
}

/** By the config, by its variable, or the one that its type is known by. */
function addressOf(name: string, type: ProviderType, given: ModelProvider, environment: Environment): string {
  const known = Object.hasOwn(BUILT_IN, name) ? BUILT_IN[name] : BUILT_IN[type];
  const fromVariable = known === BUILT_IN[name] ? environment[known?.urlVariable ?? ""]?.trim() : undefined;
  if (given.url !== undefined || !fromVariable) return given.url ?? known?.url ?? "";
  if (name === "ollama") return ollamaAddress(fromVariable);
  return /^https?:\/\//i.test(fromVariable) ? fromVariable : `http://${fromVariable}`;
}

const OLLAMA_HOST = /^(?:(https?):\/\/)?([^/@]*@)?(\[[^\]]*\]|[^/:]*)(?::(\d+))?:?(\/.*)?$/i;

/**
 * As Ollama reads it: each part may be missing, and only an address without a scheme has its usual port. What a server
 * listens at everywhere, a client finds on its own machine.
 */
function ollamaAddress(text: string): string {
  const bracketed = /^[\da-f]*:[\da-f]*:[\da-f:.]*$/i.test(text) ? `[${text}]` : text;
  const [, scheme, user = "", host = "", port, path = ""] = OLLAMA_HOST.exec(bracketed) ?? [];
  const everywhere = new Map([
    ["", "127.0.0.1"],
    ["0.0.0.0", "127.0.0.1"],
    ["[::]", "[::1]"],
  ]);
  const place = port ?? (scheme === undefined ? "11434" : undefined);
  return `${scheme ?? "http"}://${user}${everywhere.get(host) ?? host}${place === undefined ? "" : `:${place}`}${path}`;
}

/** A user's name and password in an address are sent as the header they mean: they must not be where an address is told. */
function withoutUser(address: string): { address: string; headers: Record<string, string> } {
  const url = URL.parse(address);
  if (!url || (url.username === "" && url.password === "")) return { address, headers: {} };
  const user = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  url.username = "";
  url.password = "";
  return {
    address: url.href,
    headers: { authorization: `Basic ${Buffer.from(user).toString("base64")}` },
  };
}

function withLowerCaseNames(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function withRootPath(address: string, type: ProviderType): string {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  if (url.pathname === "/") url.pathname = ROOT_PATHS[type];
  return url.href.replace(/\/+$/, "");
}

/** What helps when there is no key. */
export function keyRemedy({ name, keyVariables }: Provider): string {
  return keyVariables.length === 0
    ? `Name the variable that holds it as providers.${name}.keyEnv in the config file.`
    : `Set ${keyVariables.join(" or ")} in the daemon's environment.`;
}

export function keyOf({ keyVariables }: Provider, environment: Environment): string | undefined {
  return keyVariables.map((name) => environment[name]).find((value) => value !== undefined && value !== "");
}

/** Whether it can be asked with what is set. Whether it is there, only a request shows. */
export function isUsable(provider: Provider, environment: Environment): boolean {
  return provider.needsKey ? keyOf(provider, environment) !== undefined : provider.isWanted;
}

/** All variables that say where models are and how to reach them: keys, addresses, headers. Of one provider, or of all. */
export function providerVariables(configured: ModelProviders, only?: string): string[] {
  const isAsked = ([name]: readonly [string, unknown]) => only === undefined || name === only;
  const builtIn = Object.entries(BUILT_IN)
    .filter(isAsked)
    .flatMap(([, { keyVariables, urlVariable }]) => [...keyVariables, urlVariable]);
  const given = Object.entries(configured)
    .filter(isAsked)
    .flatMap(([, { keyEnv, headers = {} }]) => [
      ...(keyEnv === undefined ? [] : [keyEnv]),
      ...Object.values(headers).flatMap((text) =>
        [...text.matchAll(VARIABLE)].map(([, plain, braced]) => (plain ?? braced)!),
      ),
    ]);
  return [...new Set([...builtIn, ...given])];
}

/** The headers with their variables filled in; those whose variable is not set are left out. */
export function expandHeaders({ headers }: Provider, environment: Environment): Record<string, string> {
  const expanded = Object.entries(headers).map(([name, text]) => {
    let isMissing = false;
    const value = text.replace(VARIABLE, (_, plain, braced) => {
      const found = environment[plain ?? braced];
      isMissing ||= found === undefined;
      return found ?? "";
    });
    return isMissing ? undefined : ([name, value] as const);
  });
  return Object.fromEntries(expanded.filter((entry) => entry !== undefined));
}

export interface ModelName {
  readonly provider: string;
  readonly model: string;
}

/** `provider/model`, or only the model where the provider is known. Undefined if it is neither, or another's. */
export function readModelName(
  text: string,
  providers: ReadonlyMap<string, Provider>,
  ownProvider?: string,
): ModelName | undefined {
  const slash = text.indexOf("/");
  const provider = text.slice(0, Math.max(slash, 0));
  if (slash > 0 && providers.has(provider)) {
    const isOther = ownProvider !== undefined && provider !== ownProvider;
    return isOther || slash === text.length - 1 ? undefined : { provider, model: text.slice(slash + 1) };
  }
  if (ownProvider) return text === "" ? undefined : { provider: ownProvider, model: text };
  const having = [...providers.values()].find(({ models }) => models.includes(text));
  return having && { provider: having.name, model: text };
}

/** Why `readModelName` finds nothing, with the remedy. */
export function describeUnknownModel(
  text: string,
  providers: ReadonlyMap<string, Provider>,
  ownProvider?: string,
): string {
  const own = ownProvider === undefined ? undefined : providers.get(ownProvider);
  if (own)
    return `"${text}" is no model of ${own.title}, the only provider of this agent. Use the agent "model" for other providers, or write ${own.name}/${text || "MODEL"} if ${own.title} has a model of that name.`;
  const names = [...providers.keys()].join(", ");
  return `"${text}" names no model. Write provider/model with one of the providers ${names}, or describe another provider under \`providers\` in the config file.`;
}

/**
 * The model of a session that names none: of the first provider that can be used, those with a key before those that need
 * none. Where none can be used it is one that says what it lacks. Undefined if those that can be used name no model.
 */
export function defaultModel(
  providers: ReadonlyMap<string, Provider>,
  environment: Environment,
  ownProvider?: string,
): ModelName | undefined {
  const all = [...providers.values()].filter(({ name }) => !ownProvider || name === ownProvider);
  const usable = all.filter((provider) => isUsable(provider, environment));
  const candidates =
    usable.length > 0
      ? usable.toSorted((one, other) => Number(other.needsKey) - Number(one.needsKey))
      : all.toSorted((one, other) => Number(other.isWanted) - Number(one.isWanted));
  const first = candidates.find(({ models }) => models.length > 0);
  return first && { provider: first.name, model: first.models[0]! };
}
