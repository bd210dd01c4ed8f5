/** What the messages of `/v1` do not say of a conversation. Its events say all of it. */
import {
  amend,
  joinTexts,
  mapContent,
  withoutFields,
  withoutMessageFields,
  withoutParts,
} from "../../../src/testkit/dialect-contract/drops.ts";
import type { Drop } from "../../../src/testkit/dialect-contract/transcript-contract.ts";

export const V1_MESSAGE_DROPS: readonly Drop[] = [
  {
    what: "what came between two pieces of one text",
    why: "a text is one part, where it began",
    apply: joinTexts,
  },
  {
    what: "what the agent took back",
    why: "the messages are what stands; the events have it",
    apply: mapContent((content) => content.filter((part) => !("isDiscarded" in part))),
  },
  {
    what: "the ids of texts, and that one has not ended",
    why: "nothing refers to them but events",
    apply: (transcript) =>
      withoutFields("text", "part", "isOpen")(withoutFields("reasoning", "part", "isOpen")(transcript)),
  },
  {
    what: "when the input of a call was complete, and when an ask was answered",
    why: "a call and an ask are one part each, where they began",
    apply: withoutParts("called", "answered"),
  },
  {
    what: "the result of a call as it was before the agent changed it",
    why: "the messages are what stands",
    apply: amend,
  },
  {
    what: "that a call goes on as a task, and that more became known of it later",
    why: "the events have it",
    apply: (transcript) =>
      withoutFields(
        "call",
        "isUpdated",
      )(
        mapContent((content) =>
          content.map((part) => {
            if (part.type !== "call" || !part.result) return part;
            const { isRunning: _, ...result } = part.result;
            return { ...part, result };
          }),
        )(transcript),
      ),
  },
  {
    what: "plans, summaries of calls and compactions",
    why: "they are states of the session, which its events and details have",
    apply: withoutParts("plan", "summary", "compaction"),
  },
  {
    what: "when an ask expires, and whether its turn waits for it",
    why: "the list of open asks has it",
    apply: withoutFields("ask", "expiresAt", "isBeside"),
  },
  {
    what: "whether the agent is known to have had the prompt, after a restart",
    why: "the event `turn.ended` has it",
    apply: withoutMessageFields("delivery"),
  },
];
