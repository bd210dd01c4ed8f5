import type { z } from "@hono/zod-openapi";
import type { MessageRecord } from "../../core/message-record.ts";
import type { MessageRow, SessionRow } from "../../core/store.ts";
import { messageChunks, toUIMessage } from "../../dialects/ai-sdk/to-ui-message.ts";
import type { messageDetailsSchema } from "../../protocol/schemas/message.ts";
import { ANSWER_BYTES, encodePage } from "../answer-page.ts";
import type { Handlers } from "../mount.ts";
import { promptParts } from "../prompt-parts.ts";
import { readRawRange } from "../raw-range.ts";
import { messageNotFound, sessionNotFound } from "../refusals.ts";
import { sendList } from "../send-json.ts";
import type { HandlerDependencies } from "./index.ts";

type MessageDetails = z.infer<typeof messageDetailsSchema>;
type MessageHandlers = Pick<Handlers, "sendMessage" | "listMessages" | "getMessage">;

const RAW_BYTES = 8 * 1024 * 1024;

export function messageHandlers(dependencies: HandlerDependencies): MessageHandlers {
  const { engine, store, roots, history, slices } = dependencies;

  async function sessionOf(id: string): Promise<SessionRow> {
    const session = await store.getSession(id);
    if (session) return session;
    throw sessionNotFound(id);
  }

  /** Background work may ask, too, while the turn goes on. */
  async function isTurnWaiting(session: string): Promise<boolean> {
    return (await engine.openAsks(session)).some(({ turn }) => turn !== undefined);
  }

  async function rawOf(session: string, row: MessageRow) {
    const named = await history.rawsOf(session, row);
    if (!named) return { raws: [], hasMore: false };
    const { raws, last } = await readRawRange({ store, slices }, session, named, RAW_BYTES);
    return { raws: [...raws.values()], hasMore: last < named.last };
  }

  async function resultOf(session: string, row: MessageRow) {
    if (row.turn === undefined) return undefined;
    // The end of a turn is the last event of its last message, and comes after all others.
    const event = await history.endOfTurn(session, row.turn, row.lastSeq - 1);
    if (event?.raw === undefined) return event && { event };
    const { raw: first } = event;
    const { raws } = await readRawRange({ store, slices }, session, { first, last: first }, RAW_BYTES);
    return { event, raw: raws.get(first) };
  }

  return {
    async sendMessage({ params, body }) {
      const { id, whenBusy } = body;
      const parts = await promptParts(body, roots);
      return { status: 202, body: await engine.prompt(params.id, { id, parts, whenBusy }) };
    },

    async listMessages({ params, query }, context) {
      const session = await sessionOf(params.id);
      if (query.before !== undefined && !(await store.getMessage(params.id, query.before)))
        throw messageNotFound(query.before);
      const { messages, hasMore } = await store.listMessages(params.id, {
        ...query,
        maxBytes: ANSWER_BYTES,
      });
      // One that streams is left out; one that waits for a person stands still and is shown with its open part.
      const waits = messages.some((row) => row.state !== "done") && (await isTurnWaiting(params.id));
      const shown = messages.filter((row) => row.state === "done" || waits);
      // The newest first: what does not fit is older.
      const { items, isCut } = await encodePage(shown.reverse(), slices, async (row) => {
        const record = await history.recordOf(params.id, row);
        return JSON.stringify(messageOf(record, session, query.toolParts));
      });
      return sendList(context, "messages", items.reverse(), { hasMore: hasMore || isCut });
    },

    async getMessage({ params, query }) {
      const session = await sessionOf(params.id);
      const row = await store.getMessage(params.id, params.message);
      if (!row) throw messageNotFound(params.message);
      const { state, turn, firstSeq, lastSeq, rewoundAt } = row;
      const wants = new Set(query.include);
      const record = await history.recordOf(params.id, row);
      return {
        status: 200,
        body: {
          message: messageOf(record, session, query.toolParts),
          state,
          turn,
          firstSeq,
          // The row of one that is being written is not rewritten with each event.
          lastSeq: state === "streaming" ? session.head : lastSeq,
          rewoundAt,
          ...(wants.has("chunks") && {
            chunks: messageChunks(record, {
              session,
              toolParts: query.toolParts,
            }) as MessageDetails["chunks"],
          }),
          ...(wants.has("raw") && { raw: await rawOf(params.id, row) }),
          ...(wants.has("result") && { result: await resultOf(params.id, row) }),
        },
      };
    },
  };
}

/** What the AI SDK dialect makes has more fields than the schema names; on the wire they are all sent. */
function messageOf(
  record: MessageRecord,
  session: SessionRow,
  toolParts?: "static" | "dynamic",
): MessageDetails["message"] {
  return toUIMessage(record, { session, toolParts }) as MessageDetails["message"];
}
