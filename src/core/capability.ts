/** What an agent can do. Declared honestly: the contract suite fails when behaviour and declaration differ. */
import { z } from "zod";

/** Our permission modes. Every agent's manifest maps them to its own; an unsupported one is refused. */
export const PERMISSION_MODES = ["default", "plan", "acceptEdits", "bypass"] as const;
export const permissionModeSchema = z.enum(PERMISSION_MODES);
/** One of our permission modes. */
export type PermissionMode = (typeof PERMISSION_MODES)[number];

export const capabilitiesSchema = z.object({
  /** Partial text arrives while it is written. */
  streaming: z.boolean(),
  /** The agent itself asks before it acts. */
  permissions: z.boolean(),
  /** The agent can ask structured questions. */
  questions: z.boolean(),
  slashCommands: z.boolean(),
  /** A prompt can be folded into the running turn. */
  steer: z.boolean(),
  /** The agent reports when it takes up a steered prompt. */
  reportsSteering: z.boolean(),
  /** Its conversation can be copied, up to a given place. */
  fork: z.boolean(),
  /** A later process can take up the conversation. */
  resume: z.boolean(),
  /** The agent can forget the end of the conversation. */
  rewind: z.boolean(),
  images: z.boolean(),
  /** A single task in the background can be ended. No when absent. */
  stopTasks: z.boolean().optional(),
  /** What it says it costs is no real money, and is left out of what everything costs. No when absent. */
  playMoney: z.boolean().optional(),
  /** The model can be changed while the session is open. */
  setModel: z.boolean(),
  modes: z.array(z.string()),
  /** The agent may report more modes once it runs. A mode's name is checked then. */
  moreModes: z.boolean(),
  permissionModes: z.array(permissionModeSchema),
  availability: z.enum(["local", "remote", "both"]),
});

/** What an agent can do, as its adapter declares it. */
export type BackendCapabilities = z.infer<typeof capabilitiesSchema>;

export const agentStatusSchema = z.object({
  installed: z.boolean(),
  /** Present when there is no program of it at all, so that only installing helps. */
  missing: z.literal(true).optional(),
  version: z.string().optional(),
  /** Undefined if there is no way to know. */
  signedIn: z.boolean().optional(),
  models: z.array(z.object({ id: z.string(), name: z.string().optional() })).optional(),
  /** What to do if the agent cannot be used as it is. */
  remedy: z.string().optional(),
});

/** Whether an agent is installed and signed in, and what to do if not. */
export type AgentStatus = z.infer<typeof agentStatusSchema>;
