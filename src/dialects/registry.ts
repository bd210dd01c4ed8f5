/** Every client protocol besides our own. */
import { aiSdk } from "./ai-sdk/dialect.ts";
import type { AnyDialect } from "./dialect.ts";

export const DIALECTS: readonly AnyDialect[] = [aiSdk];
