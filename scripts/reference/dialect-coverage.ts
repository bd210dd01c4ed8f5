/** docs/reference/dialect-coverage.md: what each client protocol cannot say, from the drops that its contract is held to. */
import type { Drop } from "../../src/testkit/dialect-contract/transcript-contract.ts";
import {
  agentSmithyHistoryDrops,
  agentSmithyResponseDrops,
} from "../../test/dialects/transcripts/agentsmithy-drops.ts";
import { AI_SDK_HISTORY_DROPS, AI_SDK_STREAM_DROPS } from "../../test/dialects/transcripts/ai-sdk-drops.ts";
import {
  UNIFIED_ASSISTANT_DROPS,
  UNIFIED_STREAM_DROPS,
} from "../../test/dialects/transcripts/unified-drops.ts";
import { V1_MESSAGE_DROPS } from "../../test/dialects/transcripts/v1-drops.ts";
import { markdownTable } from "./markdown-table.ts";

interface Reading {
  readonly title: string;
  readonly read: string;
  readonly drops: readonly Drop[];
}

const READINGS: readonly Reading[] = [
  { title: "The events of /v1", read: "`GET /v1/sessions/{id}/events` and its stream", drops: [] },
  { title: "The messages of /v1", read: "`GET /v1/sessions/{id}/messages`", drops: V1_MESSAGE_DROPS },
  {
    title: "The AI SDK, while it streams",
    read: "the response of `POST /api/chat`, and `GET /api/chat/{id}/stream`",
    drops: AI_SDK_STREAM_DROPS,
  },
  {
    title: "The AI SDK, stored",
    read: "`GET /api/chat/{id}/messages`",
    drops: AI_SDK_HISTORY_DROPS,
  },
  {
    title: "AgentSmithy, while it streams",
    read: "the response of `POST /agentsmithy/api/chat`",
    drops: agentSmithyResponseDrops("/"),
  },
  {
    title: "AgentSmithy, stored",
    read: "the history of a dialog, with its tool results",
    drops: agentSmithyHistoryDrops("/"),
  },
  {
    title: "UnifiedMessage",
    read: "everything that is sent to a consumer",
    drops: UNIFIED_STREAM_DROPS,
  },
  {
    title: "UnifiedMessage, whole answers",
    read: "`assistant` messages alone",
    drops: UNIFIED_ASSISTANT_DROPS,
  },
];

export function dialectCoverage(): string {
  return `# What each dialect can say

<!-- Written by \`npm run reference\` from the drops in test/dialects/transcripts. Change them there. -->

A session has one log, and each client protocol is a view of it. A test reads each view back into a transcript, with the
real reader of the protocol where there is one, and compares it with what the log itself says: for random logs, every
scenario of the mock, and every recording of a real agent. What a protocol has no words for is left out of that comparison.
This is the list, and there is nothing besides. [Why so](../decisions/059-what-each-dialect-can-say.md).

${READINGS.map(section).join("\n\n")}
`;
}

function section({ title, read, drops }: Reading): string {
  const table =
    drops.length === 0
      ? "Nothing is left out."
      : markdownTable(
          ["not said", "why, or where it is"],
          drops.map(({ what, why }) => [what, why]),
        );
  return `## ${title}\n\nRead from ${read}.\n\n${table}`;
}
