import type { Scenario } from "../scenario.ts";
import type { Speaker } from "../speaker.ts";

export const BACKGROUND: Scenario = {
  name: "background",
  summary: "a task that outlives its turn, then a turn of its own",
  async play(turn) {
    const { session } = turn;
    const input = { command: "npm run build", background: true };
    const call = await turn.startCall("run_command", {
      title: "Build in the background",
      kind: "execute",
      input,
    });
    const task = session.tasks.begin(session.nextId("task"));
    await turn.emit({ event: "task_started", task: task.id, title: "npm run build", call: call.id });
    turn.afterwards = async () =>
      void session.tasks.play(session, task, call, (speaker) => build(speaker, task.id, call.id));
    await call.output({ task: task.id, status: "running" }, { continues: true });
    await turn.startStep();
    await turn.text("The build runs in the background, I will tell you when it is done.");
  },
};

/** Goes on while other turns may come and go, and is not stopped by an interrupt. */
async function build(speaker: Speaker, task: string, call: string): Promise<void> {
  for (const percent of [30, 60, 90]) {
    await speaker.pause(120);
    await speaker.emit({ event: "task_progress", task, status: "building", progress: percent });
  }
  await speaker.text("Build log: all modules compiled.", { task });
  await speaker.emit({ event: "call_corrected", call, output: { task, status: "done" }, exitCode: 0 });
  await speaker.emit({ event: "task_finished", task, result: "done", summary: "The build succeeded." });
  const cause = { cause: "task", text: "The background task “npm run build” has finished.", task };
  speaker.session.startOwnTurn(cause, (own) => own.text("The build has succeeded."));
}
