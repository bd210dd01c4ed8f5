/** Has the agent end one task. */
import { Square } from "lucide-react";
import { useState } from "react";
import { daemon } from "../api/client.ts";
import type { Task } from "../api/types.ts";
import { Button } from "../ui/button.tsx";
import { useToasts } from "../ui/toasts.tsx";

export function StopTaskButton({ session, task }: { session: string; task: Task }) {
  const [isSending, setIsSending] = useState(false);
  const toasts = useToasts();
  const isStopping = task.state === "stopping" || isSending;

  function stop() {
    setIsSending(true);
    daemon()
      .call("POST /v1/sessions/{id}/tasks/{task}/stop", { params: { id: session, task: task.task } })
      .catch(toasts.fail)
      .finally(() => setIsSending(false));
  }

  return (
    <Button
      size="small"
      aria-label={isStopping ? `Stopping ${task.title}` : `Stop ${task.title}`}
      disabled={isStopping}
      onClick={stop}
    >
      <Square className="fill-current" /> {isStopping ? "Stopping" : "Stop task"}
    </Button>
  );
}
