/** What the dialect contract has to know of each dialect, and of the stream of `/v1`. */
import { expect } from "vitest";
import { eventSchema } from "../../src/core/event.ts";
import { agentSmithy } from "../../src/dialects/agentsmithy/dialect.ts";
import {
  expectGrammar,
  expectResponses,
} from "../../src/dialects/agentsmithy/expect-grammar.test-support.ts";
import { aiSdk } from "../../src/dialects/ai-sdk/dialect.ts";
import { chunkProblem, VERSIONS } from "../../src/dialects/ai-sdk/sdk.test-support.ts";
import { unified } from "../../src/dialects/unified/dialect.ts";
import { sseText } from "../../src/server/streams/log-slice.ts";
import type { DialectContract } from "../../src/testkit/dialect-contract/index.ts";
import { isUnifiedMessage } from "../../src/unified/is-unified-message.ts";
import { EVENT_MESSAGES } from "../../src/unified/outbound/event-messages.ts";
import { answer } from "./answer-dialect.ts";
import { transcript } from "./transcript-dialect.ts";
import { smithyHistory, smithyResponses } from "./transcripts/agentsmithy.ts";
import { aiSdkHistory, aiSdkStreams } from "./transcripts/ai-sdk.ts";
import { dataOf } from "./transcripts/data-of.ts";
import { unifiedAssistants, unifiedStream } from "./transcripts/unified.ts";
import { v1Events, v1Messages } from "./transcripts/v1.ts";

export const CONTRACTS: Readonly<Record<string, DialectContract>> = {
  "/v1": {
    view: {
      scope: "session",
      resume: "cursor",
      create: () => ({
        add: (event) => [{ text: sseText([{ seq: event.seq, json: JSON.stringify(event) }]) }],
      }),
    },
    showsUnknown: true,
    read(frames, events) {
      const read = frames.map(({ text }) => eventSchema.parse(JSON.parse(dataOf(text))));
      expect(read).toEqual(events);
    },
    transcripts: [v1Events, v1Messages],
  },
  [aiSdk.name]: {
    view: aiSdk.view,
    // Whole messages go through the real readers in src/dialects/ai-sdk/expect-consistent.test-support.ts.
    async read(frames) {
      for (const { text } of frames)
        for (const version of VERSIONS)
          expect(await chunkProblem(version, JSON.parse(dataOf(text)))).toBeUndefined();
    },
    transcripts: [...aiSdkStreams, aiSdkHistory],
  },
  [agentSmithy.name]: {
    view: agentSmithy.view,
    read(frames, events) {
      expectGrammar(frames, { isComplete: frames.at(-1)?.text.includes('"type":"done"') ?? false });
      expectResponses(events);
    },
    transcripts: [smithyResponses, smithyHistory],
  },
  [unified.name]: {
    view: unified.view,
    // As `findOpenTurn` finds it.
    from(after, events) {
      const last = events.findLast(({ seq, turn }) => seq <= after && turn !== undefined);
      return !last || last.type === "turn.ended" ? after : Number(last.turn!.slice(1)) - 1;
    },
    read(frames, events) {
      const read = frames.map(({ text }) => JSON.parse(text));
      expect(read.every(({ payload }) => isUnifiedMessage(payload))).toBe(true);
      const known = events.filter(({ type }) => Object.hasOwn(EVENT_MESSAGES, type));
      expect(read.flatMap(({ seq }) => (seq === undefined ? [] : [seq]))).toEqual(
        known.map(({ seq }) => seq),
      );
      expect(new Set(read.map(({ message_id }) => message_id)).size, "ids are unique").toBe(read.length);
    },
    transcripts: [unifiedStream, unifiedAssistants],
  },
  [answer.name]: { view: answer.view },
  [transcript.name]: { view: transcript.view },
};
