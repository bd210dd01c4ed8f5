/** What the tools for the web may do. */

export interface WebLimits {
  /** Of a page's body, after decompression. The rest is left out. */
  readonly maxBytes: number;
  /** For all of it, redirects included. */
  readonly timeoutMs: number;
}

export const DEFAULT_WEB_LIMITS: WebLimits = { maxBytes: 2 * 1024 * 1024, timeoutMs: 30_000 };

export type SearchProvider =
  | { readonly type: "searxng"; readonly url: string }
  | {
      readonly type: "brave";
      /** The environment variable that holds the key. */
      readonly keyEnv: string;
      /** Brave's own by default. */
      readonly url?: string;
    };

export interface WebSettings {
  /** Lets `web_fetch` reach private, loopback and link-local addresses. */
  readonly allowPrivate: boolean;
  readonly search?: SearchProvider;
  /** The key of the search provider, where it needs one. */
  readonly searchKey?: string;
  readonly limits?: Partial<WebLimits>;
  /** Looks up the addresses of a name; the system's resolver by default. */
  resolve?(name: string): Promise<readonly string[]>;
}
