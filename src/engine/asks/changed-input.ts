/** Whether the input in an answer is another than the agent's: many clients send back what they were shown. */
import { eventOf } from "../../core/encoded-event.ts";
import { readLog } from "../../core/read-log.ts";
import type { Store } from "../../core/store.ts";
import type { AskReply, AskView } from "../../protocol/commands/command-types.ts";
import type { SecretMask } from "../secrets/secret-mask.ts";
import { canonicalJson } from "../session/canonical-json.ts";

/** The reply without an input that changes nothing. */
export async function withChangedInput(
  store: Pick<Store, "readEvents">,
  mask: Pick<SecretMask, "value">,
  asked: Pick<AskView, "session" | "call" | "seq">,
  reply: AskReply,
): Promise<AskReply> {
  if (reply.input === undefined) return reply;
  const proposed = await proposedInput(store, asked);
  if (proposed === undefined || canonicalJson(mask.value(reply.input)) !== canonicalJson(proposed))
    return reply;
  const { input: _same, ...rest } = reply;
  return rest;
}

/** The input that the call had when it was asked about. The id of a call says where in the log it begins. */
async function proposedInput(
  store: Pick<Store, "readEvents">,
  { session, call, seq }: Pick<AskView, "session" | "call" | "seq">,
): Promise<unknown> {
  const start = Number(call?.slice(1));
  if (!Number.isSafeInteger(start)) return undefined;
  let input: unknown;
  for await (const page of readLog(store, session, Math.max(0, start - 1), seq)) {
    for (const encoded of page) {
      const event = eventOf(encoded);
      if (event.type === "tool.input" && event.call === call) input = event.input;
    }
  }
  return input;
}
