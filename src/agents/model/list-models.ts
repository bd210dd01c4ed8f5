/** Asks servers which models they have, where nobody else knows: those that people run themselves. */
import { type Environment, expandHeaders, isUsable, keyOf, type Provider } from "./providers.ts";

/** Somebody waits for it, and a list is not worth more. */
const TIMEOUT_MS = 1000;
const MAX_BYTES = 1024 * 1024;
const MAX_MODELS = 500;
const MAX_NAME_LENGTH = 256;
/** Servers list them among the others, and nobody can talk with them. */
const NOT_FOR_TALKING = /embed|rerank/i;

/** The providers, with the models of those that have to be asked and answer in time. Never fails. */
export async function withListedModels(
  providers: ReadonlyMap<string, Provider>,
  environment: Environment,
  { timeoutMs = TIMEOUT_MS }: { timeoutMs?: number } = {},
): Promise<ReadonlyMap<string, Provider>> {
  const listed = [...providers].map(async ([name, provider]) => {
    if (!provider.asksForModels || !isUsable(provider, environment)) return [name, provider] as const;
    const models = await listModels(provider, environment, timeoutMs).catch(() => []);
    return [name, { ...provider, models }] as const;
  });
  return new Map(await Promise.all(listed));
}

async function listModels(
  provider: Provider,
  environment: Environment,
  timeoutMs: number,
): Promise<string[]> {
  const response = await fetch(`${provider.url}/models`, {
    headers: requestHeaders(provider, environment),
    // What is in the headers is for this server alone.
    redirect: "error",
    signal: AbortSignal.timeout(timeoutMs),
  });
  const body = await readBounded(response);
  return response.ok ? modelNames(JSON.parse(body)) : [];
}

function requestHeaders(provider: Provider, environment: Environment): Record<string, string> {
  const key = keyOf(provider, environment);
  const headers = expandHeaders(provider, environment);
  return key === undefined ? headers : { ...headers, authorization: `Bearer ${key}` };
}

/** Rejects for what is longer than any list. Leaving the loop ends the connection. */
async function readBounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_BYTES) throw new Error("The list of models is too long.");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** `{"data": [{"id": "qwen3-coder"}]}`, as OpenAI's API has it. */
function modelNames(body: unknown): string[] {
  const { data } = (body ?? {}) as { data?: unknown };
  const names = (Array.isArray(data) ? data : []).map((entry: { id?: unknown } | null) => entry?.id);
  const isName = (name: unknown): name is string =>
    typeof name === "string" && name !== "" && name.length <= MAX_NAME_LENGTH && !NOT_FOR_TALKING.test(name);
  return [...new Set(names.filter(isName))].slice(0, MAX_MODELS);
}
