import type { MessageRow, SessionRow } from "../../core/store.ts";
import { toMessage } from "../../core/to-message.ts";
import { messageNotFound, sessionNotFound } from "../../protocol/refusals.ts";
import { encodeLong, encodePage } from "../answers/answer-page.ts";
import { readRawRange } from "../answers/raw-range.ts";
import { encodeList, sendJson, sendList } from "../answers/send-json.ts";
import { shownMessages } from "../answers/shown-messages.ts";
import { promptParts } from "../bodies/prompt-parts.ts";
import { callerOf } from "../guard/caller.ts";
import type { Handlers } from "../mount.ts";
import type { HandlerDependencies } from "./index.ts";

type MessageHandlers = Pick<Handlers, "sendMessage" | "listMessages" | "getMessage">;

const RAW_BYTES = 8 * 1024 * 1024;

export function messageHandlers(dependencies: HandlerDependencies): MessageHandlers {
  const { engine, store, files, history, slices, may } = dependencies;

  async function sessionOf(id: string): Promise<SessionRow> {
    const session = await store.getSession(id);
    if (session) return session;
    throw sessionNotFound(id);
  }

  async function encodeMessage(session: SessionRow, row: MessageRow): Promise<string> {
    const record = await history.recordOf(session.id, row);
    const { id, agent } = session;
    const { firstSeq } = row;
    return encodeLong(
      toMessage(record, { session: id, agent, firstSeq, lastSeq: lastSeqOf(session, row) }),
      slices,
    );
  }

  async function rawOf(session: string, row: MessageRow) {
    const named = await history.rawsOf(session, row);
    if (!named) return encodeList("raws", [], { hasMore: false });
    const { raws, last } = await readRawRange({ store, slices }, session, named, RAW_BYTES);
    const { items } = await encodePage(raws.values(), slices, JSON.stringify, Number.POSITIVE_INFINITY);
    return encodeList("raws", items, { hasMore: last < named.last });
  }

  async function resultOf(session: string, row: MessageRow) {
    if (row.turn === undefined) return undefined;
    // The end of a turn is the last event of its last message, and comes after all others.
    const event = await history.endOfTurn(session, row.turn, row.lastSeq - 1);
    if (event?.raw === undefined || !may("session.raw")) return event && { event };
    const { raw: first } = event;
    const { raws } = await readRawRange({ store, slices }, session, { first, last: first }, RAW_BYTES);
    return { event, raw: raws.get(first) };
  }

  return {
    async sendMessage({ params, body }, context) {
      const { id, whenBusy, settings } = body;
      const parts = await promptParts(body, files, params.id);
      const prompt = { id, parts, whenBusy, settings };
      return {
        status: 202,
        body: await engine.run("prompt", { session: params.id, ...prompt }, callerOf(context)),
      };
    },

    async listMessages({ params, query }, context) {
      const session = await sessionOf(params.id);
      const { rows, hasMore } = await shownMessages(dependencies, params.id, query);
      // Newest first, so that what does not fit is older.
      const { items, isCut } = await encodePage(rows.reverse(), slices, (row) => encodeMessage(session, row));
      return sendList(context, "messages", items.reverse(), { hasMore: hasMore || isCut });
    },

    async getMessage({ params, query }, context) {
      const session = await sessionOf(params.id);
      const row = await store.getMessage(params.id, params.message);
      if (!row) throw messageNotFound(params.message);
      const { state, turn, firstSeq, rewoundAt } = row;
      const wants = new Set(query.include);
      const message = await encodeMessage(session, row);
      const lastSeq = lastSeqOf(session, row);
      const details = JSON.stringify({ state, turn, firstSeq, lastSeq, rewoundAt });
      let pieces = [`{"message":${message},${details.slice(1, -1)}`];
      if (wants.has("raw")) pieces = pieces.concat(',"raw":', await rawOf(params.id, row));
      const result = wants.has("result") ? await resultOf(params.id, row) : undefined;
      if (result) pieces.push(',"result":', await encodeLong(result, slices));
      return sendJson(context, 200, pieces.concat("}"));
    },
  };
}

/** The row of a streaming message is not updated with every event. */
function lastSeqOf(session: SessionRow, row: MessageRow): number {
  return row.state === "streaming" ? session.head : row.lastSeq;
}
