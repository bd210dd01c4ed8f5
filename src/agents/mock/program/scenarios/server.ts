import { once } from "node:events";
import type { Scenario } from "../scenario.ts";

export const SERVER: Scenario = {
  name: "server",
  summary: "a server in the background that runs until somebody stops it",
  async play(turn) {
    const { session } = turn;
    const call = await turn.startCall("run_command", {
      title: "Serve in the background",
      kind: "execute",
      input: { command: "npm run dev", background: true },
    });
    const task = session.tasks.begin(session.nextId("task"));
    await turn.emit({ event: "task_started", task: task.id, title: "npm run dev", call: call.id });
    turn.afterwards = async () =>
      void session.tasks.play(session, task, call, async (speaker) => {
        const status = "listening on port 5173";
        await speaker.emit({ event: "task_progress", task: task.id, status, progress: 100 });
        if (!task.signal.aborted) await once(task.signal, "abort");
        task.signal.throwIfAborted();
      });
    await call.output({ task: task.id, status: "running" }, { continues: true });
    await turn.startStep();
    await turn.text("The server runs in the background. Stop it when you no longer need it.");
  },
};
