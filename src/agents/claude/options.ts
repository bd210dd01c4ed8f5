/** The settings only Claude Code understands: what a session may give in `options`. */
import { z } from "zod";
import { EFFORTS } from "./effort-setting.ts";

/** A rule in Claude Code's words: `Write`, `Bash(git log *)`, `mcp__server__tool`. */
const rules = z.array(z.string().min(1)).optional();

export const optionsSchema = z.strictObject({
  /** May be used without asking. */
  allowedTools: rules,
  /** May not be used; a bare name takes the tool away from the model. */
  disallowedTools: rules,
  /** The built-in tools to keep; all others are removed. */
  tools: rules,
  /** Where tools may work besides the session's directory. */
  additionalDirectories: z.array(z.string().min(1)).optional(),
  /** Added to the end of the agent's own system prompt. */
  appendSystemPrompt: z.string().optional(),
  /** The model calls a turn may take. */
  maxTurns: z.int().positive().optional(),
  /** What one process may spend; it begins at nothing again after a rest. */
  maxBudgetUsd: z.number().positive().optional(),
  effort: z.enum(EFFORTS).optional(),
  /** For models that think within a budget; others ignore it. */
  maxThinkingTokens: z.int().nonnegative().optional(),
  /** Taken when the model is overloaded or gone. */
  fallbackModel: z.string().min(1).optional(),
  /** Whose settings files are read; all three when absent. */
  settingSources: z.array(z.enum(["user", "project", "local"])).optional(),
  /** Only the MCP servers of the session, none from settings files. */
  strictMcpConfig: z.boolean().optional(),
});

export type ClaudeOptions = z.infer<typeof optionsSchema>;
