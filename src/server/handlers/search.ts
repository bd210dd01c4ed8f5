import { toSearchResult } from "../../core/search-result.ts";
import { sessionNotFound } from "../../protocol/refusals.ts";
import type { Handlers } from "../mount.ts";
import type { HandlerDependencies } from "./index.ts";

export function searchHandlers({ store }: HandlerDependencies): Pick<Handlers, "searchMessages"> {
  return {
    async searchMessages({ query: { q: words, archived, ...query } }) {
      if (query.session !== undefined && !(await store.getSession(query.session)))
        throw sessionNotFound(query.session);
      const isArchived = archived === "any" ? undefined : archived === "true";
      const { hits, ...page } = await store.searchMessages({ ...query, words, archived: isArchived });
      return { status: 200, body: { results: hits.map(toSearchResult), ...page } };
    },
  };
}
