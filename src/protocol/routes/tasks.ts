import { defineRoute, json } from "../define-route.ts";
import { sessionParams, taskParams } from "../schemas/parameter.ts";
import { taskListSchema, taskSchema } from "../schemas/task.ts";

const tags = ["tasks"];

export const listTasks = defineRoute({
  method: "get",
  path: "/v1/sessions/{id}/tasks",
  operationId: "listTasks",
  right: "session.read",
  summary: "What the agent does in the background",
  tags,
  request: { params: sessionParams },
  responses: { 200: json("The tasks", taskListSchema) },
  fails: ["session_not_found"],
});

export const stopTask = defineRoute({
  method: "post",
  path: "/v1/sessions/{id}/tasks/{task}/stop",
  operationId: "stopTask",
  right: "session.stop",
  summary: "End a task in the background",
  description:
    "The agent is told; `task.ended` follows when it has ended it. A task that has ended stays as it is. Agents with " +
    "the capability `stopTasks` can.",
  tags,
  request: { params: taskParams },
  responses: { 202: json("The task", taskSchema) },
  fails: ["session_not_found", "task_not_found", "session_closed", "unsupported", "store_unavailable"],
});
