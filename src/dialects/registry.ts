/** Every client protocol besides our own. */
import { agentSmithy } from "./agentsmithy/dialect.ts";
import { aiSdk } from "./ai-sdk/dialect.ts";
import type { AnyDialect } from "./dialect.ts";
import { unified } from "./unified/dialect.ts";

export const DIALECTS: readonly AnyDialect[] = [aiSdk, agentSmithy, unified];
