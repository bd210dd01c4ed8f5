import { defineRoute, json } from "../define-route.ts";
import {
  directoryListSchema,
  fileListSchema,
  findFilesQuerySchema,
  listDirectoriesQuerySchema,
} from "../schemas/directory.ts";
import { sessionParams } from "../schemas/parameter.ts";

export const listDirectories = defineRoute({
  method: "get",
  path: "/v1/directories",
  operationId: "listDirectories",
  right: "session.create",
  summary: "Directories a session can work in: the allowed roots, or what is in one",
  description: "A token that is for certain sessions cannot make others, so it sees no directories.",
  tags: ["sessions"],
  request: { query: listDirectoriesQuerySchema },
  responses: { 200: json("The directories", directoryListSchema) },
  fails: ["outside_roots", "not_a_directory"],
});

export const findFiles = defineRoute({
  method: "get",
  path: "/v1/sessions/{id}/files",
  operationId: "findFiles",
  right: "session.prompt",
  summary: "Files of the session's directory by a few letters, to be named in a prompt",
  description: "In a git work tree those that are tracked or not ignored. Links are not followed.",
  tags: ["sessions"],
  request: { params: sessionParams, query: findFilesQuerySchema },
  responses: { 200: json("The files", fileListSchema) },
  fails: ["session_not_found", "outside_roots", "not_a_directory"],
});
