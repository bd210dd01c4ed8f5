/** Whether a turn is continued that ended because the daemon or the node that ran it was gone. */
import { z } from "zod";

/** `continue`: one new prompt asks the agent to continue. `stop`: nothing happens until a client sends a prompt. */
export const onLostSchema = z.enum(["continue", "stop"]);

export type OnLost = z.infer<typeof onLostSchema>;
