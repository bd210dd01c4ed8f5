/** What the thread that searches is told, and what it answers. */

export interface SearchSettings {
  readonly source: string;
  readonly flags: string;
  readonly filePattern?: string;
}

export type SearchRequest =
  /** Answered with a boolean: whether it is like the pattern. */
  | { readonly type: "name"; readonly path: string }
  /** Answered with the matches, at most `max` of each file. */
  | {
      readonly type: "texts";
      readonly files: readonly { path: string; text: string }[];
      readonly max: number;
    };

export interface SearchMatch {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly text: string;
}
