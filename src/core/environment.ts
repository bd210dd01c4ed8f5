/** Environment variables for an agent. */
import { z } from "zod";

/** Variables per session. */
export const MAX_ENVIRONMENT_NAMES = 1000;

export const environmentSchema = z.record(
  z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "must be the name of an environment variable")
    .regex(/^(?!npm_|INTERLINGUA_|NODE_OPTIONS$)/i, "must not be a name agents are never given"),
  z.string().regex(/^[^\0]*$/, "must not contain a NUL character"),
);
