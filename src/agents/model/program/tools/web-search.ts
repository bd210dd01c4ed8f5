/** Searches the web by the provider that the config names. */
import { z } from "zod";
import type { ModelTool } from "./tool.ts";
import { ToolFailure } from "./tool-failure.ts";
import { withVisibleCharacters } from "./visible-characters.ts";
import { requestBody } from "./web/request-body.ts";
import { SEARCH_PROVIDERS, type SearchHit } from "./web/search-providers.ts";
import type { WebSettings } from "./web/web-settings.ts";

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
  title: ({ query }) => withVisibleCharacters(`Search the web for ${query}`),
  unavailable: problemOf,
  async run({ query, num_results = DEFAULT_RESULTS }, { signal, web }) {
    const hits = await search(query, num_results, web, signal);
    const results = hits.slice(0, num_results);
    return { result: { type: "web_search_result", query, results, count: results.length } };
  },
};

const INSTEAD = "Work without it, or fetch a page you know with web_fetch.";

function problemOf({ search, searchKey }: WebSettings): string | undefined {
  if (!search)
    return `The web cannot be searched: no provider is set as web.search in the config file. ${INSTEAD}`;
  if (search.url !== undefined && !URL.canParse(search.url))
    return `The web cannot be searched: web.search.url in the config file is no URL. ${INSTEAD}`;
  if (search.type !== "brave" || searchKey) return undefined;
  return `The web cannot be searched: ${search.keyEnv}, which web.search.keyEnv in the config file names, is not set. ${INSTEAD}`;
}

async function search(
  query: string,
  count: number,
  web: WebSettings,
  signal: AbortSignal,
): Promise<SearchHit[]> {
  const { search: provider, searchKey: key } = web;
  const problem = problemOf(web);
  if (!provider || problem) throw new ToolFailure("not_configured", problem ?? "");
  const { request, hits } = SEARCH_PROVIDERS[provider.type];
  // Its address comes from the config, so it may be in the own network.
  const settings = { ...web, allowPrivate: true };
  const { status, bytes } = await requestBody(
    { ...request(provider, query, { count, key }), signal },
    settings,
  );
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
