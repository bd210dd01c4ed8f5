/** Answers an ask. The first answer wins, so a refusal is said and not repeated. */
import { useState } from "react";
import { messageOf } from "../api/api-error.ts";
import { call } from "../api/client.ts";
import type { AskReply } from "../api/types.ts";

export interface Replying {
  send: (reply: AskReply) => void;
  /** What was chosen, while it is on its way and until the feed has shown what became of it. */
  sent: AskReply | undefined;
  problem: string | undefined;
}

/** `onSend` is called before anything of it changes. */
export function useReply(session: string, ask: string, onSend: () => void): Replying {
  const [sent, setSent] = useState<AskReply>();
  const [problem, setProblem] = useState<string>();
  function send(reply: AskReply) {
    onSend();
    setSent(reply);
    setProblem(undefined);
    call("POST", `/v1/sessions/${session}/asks/${encodeURIComponent(ask)}/reply`, reply).catch((error) => {
      setSent(undefined);
      setProblem(messageOf(error));
    });
  }
  return { send, sent, problem };
}
