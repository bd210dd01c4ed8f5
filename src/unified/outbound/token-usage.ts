/** Token counts under the names of this protocol, the same for every agent. Pure. */
import type { TokenUsage } from "../../core/usage.ts";

/** `input_tokens` and `output_tokens` are totals: those from a cache, and those of reasoning, are part of them. */
export interface UnifiedUsage {
  input_tokens?: number;
  output_tokens?: number;
  reasoning_tokens?: number;
  cache_read_input_tokens?: number;
  cache_creation_input_tokens?: number;
}

export function tokenUsage({ input, output, reasoning, cacheRead, cacheWrite }: TokenUsage): UnifiedUsage {
  return {
    ...(input !== undefined && { input_tokens: input }),
    ...(output !== undefined && { output_tokens: output }),
    ...(reasoning !== undefined && { reasoning_tokens: reasoning }),
    ...(cacheRead !== undefined && { cache_read_input_tokens: cacheRead }),
    ...(cacheWrite !== undefined && { cache_creation_input_tokens: cacheWrite }),
  };
}
