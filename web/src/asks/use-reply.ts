/** Answers an ask. The first answer wins, so a refusal is shown and not retried. */
import { useState } from "react";
import { daemon } from "../api/client.ts";
import { messageOf } from "../api/error-text.ts";
import type { AskReply } from "../api/types.ts";
import { forgetKept } from "../ui/use-kept.ts";
import { keptName } from "./kept-name.ts";
import { noteAnswer } from "./last-answer.ts";

export interface Replying {
  send: (reply: AskReply) => void;
  /** The choice, until the feed shows the result. */
  sent: AskReply | undefined;
  problem: string | undefined;
}

/** Calls `onSend` before anything changes. */
export function useReply(session: string, ask: string, onSend: () => void): Replying {
  const [sent, setSent] = useState<AskReply>();
  const [problem, setProblem] = useState<string>();
  function send(reply: AskReply) {
    noteAnswer();
    onSend();
    setSent(reply);
    setProblem(undefined);
    daemon()
      .call("POST /v1/sessions/{id}/asks/{ask}/reply", { params: { id: session, ask }, body: reply })
      .then(
        () => forgetKept(keptName(session, ask)),
        (error) => {
          setSent(undefined);
          setProblem(messageOf(error));
        },
      );
  }
  return { send, sent, problem };
}
