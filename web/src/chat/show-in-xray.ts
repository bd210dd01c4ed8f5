/** Leads from something in the conversation to its first entry of the log. */
import { daemon } from "../api/client.ts";
import { go } from "../route.ts";

export async function showMessageInXray(session: string, message: string): Promise<void> {
  const params = { id: session, message };
  const { firstSeq } = await daemon().call("GET /v1/sessions/{id}/messages/{message}", { params });
  go({ view: "session", session, panel: "xray", seq: firstSeq });
}

/**
 * The entry that began a call, whose id comes from it; undefined where it does not.
 *
 * @example entryOfCall("c27") // 27
 */
export function entryOfCall(call: string): number | undefined {
  const seq = /^c([1-9][0-9]{0,14})$/.exec(call)?.[1];
  return seq === undefined ? undefined : Number(seq);
}
