import type { z } from "@hono/zod-openapi";
import type { MessageRecord } from "../../core/message-record.ts";
import type { MessageRow, SessionRow } from "../../core/store.ts";
import { messageChunks, toUIMessage } from "../../dialects/ai-sdk/to-ui-message.ts";
import { messageNotFound, sessionNotFound } from "../../protocol/refusals.ts";
import type { messageDetailsSchema } from "../../protocol/schemas/message.ts";
import { ANSWER_BYTES, encodePage } from "../answer-page.ts";
import type { Handlers } from "../mount.ts";
import { promptParts } from "../prompt-parts.ts";
import { readRawRange } from "../raw-range.ts";
import { encodeList, sendJson, sendList } from "../send-json.ts";
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

  /** One that streams is left out; one that waits for a person stands still and is shown with its open part. */
  async function shownMessages(
    session: string,
    query: { limit: number; before?: string },
  ): Promise<{ shown: MessageRow[]; hasMore: boolean }> {
    const { limit, before } = query;
    const { messages, hasMore } = await store.listMessages(session, {
      limit,
      before,
      maxBytes: ANSWER_BYTES,
    });
    const waits = messages.some((row) => row.state !== "done") && (await isTurnWaiting(session));
    const shown = messages.filter((row) => row.state === "done" || waits);
    // A page without messages would not tell where to go on.
    if (shown.length === 0 && hasMore) return shownMessages(session, { limit, before: messages[0]!.id });
    return { shown, hasMore };
  }

  async function rawOf(session: string, row: MessageRow) {
    const named = await history.rawsOf(session, row);
    if (!named) return encodeList("raws", [], { hasMore: false });
    const { raws, last } = await readRawRange({ store, slices }, session, named, RAW_BYTES);
    const { items } = await encodePage(raws.values(), slices, JSON.stringify, Number.POSITIVE_INFINITY);
    return encodeList("raws", items, { hasMore: last < named.last });
  }

  async function chunksOf(record: MessageRecord, session: SessionRow, toolParts?: "static" | "dynamic") {
    const chunks = messageChunks(record, { session, toolParts });
    const { items } = await encodePage(chunks, slices, JSON.stringify, Number.POSITIVE_INFINITY);
    return ["[", items.join(","), "]"];
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
      const { shown, hasMore } = await shownMessages(params.id, query);
      // The newest first: what does not fit is older.
      const { items, isCut } = await encodePage(shown.reverse(), slices, async (row) => {
        const record = await history.recordOf(params.id, row);
        await slices.pause();
        return JSON.stringify(messageOf(record, session, query.toolParts));
      });
      return sendList(context, "messages", items.reverse(), { hasMore: hasMore || isCut });
    },

    async getMessage({ params, query }, context) {
      const session = await sessionOf(params.id);
      const row = await store.getMessage(params.id, params.message);
      if (!row) throw messageNotFound(params.message);
      const { state, turn, firstSeq, lastSeq, rewoundAt } = row;
      const wants = new Set(query.include);
      const record = await history.recordOf(params.id, row);
      await slices.pause();
      // The row of one that is being written is not rewritten with each event.
      const last = state === "streaming" ? session.head : lastSeq;
      const details = JSON.stringify({ state, turn, firstSeq, lastSeq: last, rewoundAt });
      const message = JSON.stringify(messageOf(record, session, query.toolParts));
      let pieces = [`{"message":${message},${details.slice(1, -1)}`];
      if (wants.has("chunks")) {
        await slices.pause();
        pieces = pieces.concat(',"chunks":', await chunksOf(record, session, query.toolParts));
      }
      if (wants.has("raw")) pieces = pieces.concat(',"raw":', await rawOf(params.id, row));
      const result = wants.has("result") ? await resultOf(params.id, row) : undefined;
      if (result) pieces.push(',"result":', JSON.stringify(result));
      return sendJson(context, 200, pieces.concat("}"));
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
