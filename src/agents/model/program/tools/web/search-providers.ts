/** How each provider is asked, and where its answer has what was found. */
import { z } from "zod";
import type { SearchProvider } from "./web-settings.ts";

export interface SearchHit {
  readonly title: string;
  readonly url: string;
  readonly snippet: string;
}

interface ProviderProtocol {
  request(
    provider: SearchProvider,
    query: string,
    options: { count: number; key?: string },
  ): { url: string; headers?: Record<string, string> };
  /** Throws for another shape. */
  hits(answer: unknown): SearchHit[];
}

const BRAVE_URL = "https://api.search.brave.com/res/v1/web/search";
const MAX_SNIPPET_LENGTH = 1000;

const text = z.string().nullish();
const searxngAnswer = z.object({
  results: z.array(z.object({ title: text, url: z.string(), content: text })),
});
const braveAnswer = z.object({
  web: z
    .object({ results: z.array(z.object({ title: text, url: z.string(), description: text })) })
    .optional(),
});

export const SEARCH_PROVIDERS: Readonly<Record<SearchProvider["type"], ProviderProtocol>> = {
  searxng: {
    request(provider, query) {
      const url = new URL(provider.url!);
      url.pathname = `${url.pathname.replace(/\/(?:search)?$/, "")}/search`;
      url.searchParams.set("q", query);
      url.searchParams.set("format", "json");
      return { url: url.href };
    },
    hits: (answer) =>
      searxngAnswer.parse(answer).results.map(({ title, url, content }) => hit(title, url, content)),
  },
  brave: {
    request(provider, query, { count, key = "" }) {
      const url = new URL(provider.url ?? BRAVE_URL);
      url.searchParams.set("q", query);
      url.searchParams.set("count", String(count));
      return { url: url.href, headers: { accept: "application/json", "x-subscription-token": key } };
    },
    hits: (answer) =>
      (braveAnswer.parse(answer).web?.results ?? []).map(({ title, url, description }) =>
        hit(title, url, description),
      ),
  },
};

function hit(title: string | null | undefined, url: string, snippet: string | null | undefined): SearchHit {
  return { title: title ?? "", url, snippet: (snippet ?? "").slice(0, MAX_SNIPPET_LENGTH) };
}
