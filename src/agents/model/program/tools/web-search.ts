/** Searches the web by the provider that the config names. */
import { z } from "zod";
import type { ModelTool } from "./tool.ts";
import { ToolFailure } from "./tool-failure.ts";
import { requestBody } from "./web/request-body.ts";
import { SEARCH_PROVIDERS, type SearchHit } from "./web/search-providers.ts";
import type { SearchProvider, WebSettings } from "./web/web-settings.ts";

const DEFAULT_RESULTS = 5;
const MAX_RESULTS = 20;

const input = z.object({
  query: z.string().min(1).max(1000),
  num_results: z
    .number()
    .int()
    .positive()
    .max(MAX_RESULTS)
    .optional()
    .describe(`${DEFAULT_RESULTS} by default.`),
});

export const webSearch: ModelTool<z.infer<typeof input>> = {
  name: "web_search",
  kind: "fetch",
  description: "Searches the web. Gives titles, addresses and excerpts; read a page with web_fetch.",
  input,
  permission: "fetch",
  title: ({ query }) => `Search the web for ${query}`,
  unavailable: ({ search }) => (search ? problemOf(search) : NOT_CONFIGURED),
  async run({ query, num_results = DEFAULT_RESULTS }, { signal, web }) {
    const hits = await search(query, num_results, web, signal);
    const results = hits.slice(0, num_results);
    return { result: { type: "web_search_result", query, results, count: results.length } };
  },
};

const NOT_CONFIGURED =
  "Searching the web is not set up: the config names no provider for it. Work without it, or fetch a page you know with web_fetch.";

/** What is wrong with the settings of a provider. */
function problemOf(provider: SearchProvider): string | undefined {
  if (provider.url !== undefined && !URL.canParse(provider.url))
    return `Searching the web is not set up: ${JSON.stringify(provider.url)} is no URL.`;
  if (provider.type !== "brave" || process.env[provider.keyEnv]) return undefined;
  return `Searching the web needs a key, and ${provider.keyEnv} is not set.`;
}

async function search(
  query: string,
  count: number,
  web: WebSettings,
  signal: AbortSignal,
): Promise<SearchHit[]> {
  const provider = web.search;
  if (!provider) throw new ToolFailure("not_configured", NOT_CONFIGURED);
  const problem = problemOf(provider);
  if (problem) throw new ToolFailure("not_configured", problem);
  const { request, hits } = SEARCH_PROVIDERS[provider.type];
  // Its address comes from the config, so it may be in the own network.
  const settings = { ...web, allowPrivate: true };
  const { status, bytes } = await requestBody({ ...request(provider, query, count), signal }, settings);
  if (status !== 200)
    throw new ToolFailure(
      "request_failed",
      `The search provider (${provider.type}) answered with ${status}.`,
    );
  try {
    return hits(JSON.parse(bytes.toString()));
  } catch (error) {
    throw new ToolFailure(
      "request_failed",
      `The search provider (${provider.type}) did not answer with its JSON.`,
      {
        cause: error,
      },
    );
  }
}
