/** An agent under the name and with the reviewed rules of a preset, that reports what a test tells it to. */
import { ASKING_RULES } from "../../src/agents/asking-rules.ts";
import type { BackendAdapter } from "../../src/core/adapter.ts";
import type { BackendCapabilities } from "../../src/core/capability.ts";
import type { Draft } from "../../src/core/draft.ts";
import { ScriptedAdapter, type ScriptedSession } from "../../src/testkit/scripted-adapter.ts";

type Reported = Omit<Extract<Draft, { type: "session.updated" }>, "type">;

export interface PresetAgent {
  adapter: BackendAdapter;
  sessions: ScriptedSession[];
  /** The newest session of this id. */
  of(session: string): ScriptedSession;
}

/** Turns end at once, except of prompts with "hang" in them. */
export function presetAgent(
  name: string,
  reported: Reported = {},
  capabilities: Partial<BackendCapabilities> = {},
): PresetAgent {
  const adapter = new ScriptedAdapter({
    ...{ modes: [], moreModes: true, permissionModes: [], slashCommands: true, setModel: false },
    ...capabilities,
  });
  adapter.onConnect = (session) => {
    const { mode = reported.mode } = session.options;
    session.say({ type: "session.updated", commands: [], ...reported, mode });
    session.onCommand = (command) => {
      if (command.type !== "prompt" || JSON.stringify(command.parts).includes("hang")) return;
      session.say({ type: "turn.ended", outcome: "completed" });
    };
  };
  const { sessions } = adapter;
  return {
    adapter: Object.assign(adapter, { name, asking: ASKING_RULES[name] }) as BackendAdapter,
    sessions,
    of: (session) => sessions.findLast(({ sessionId }) => sessionId === session)!,
  };
}

/** As the recordings of these agents show them. */
const COPILOT_MODE = "https://agentclientprotocol.com/protocol/session-modes#";

export const AUTOPILOT = `${COPILOT_MODE}autopilot`;

export const COPILOT: Reported = {
  mode: `${COPILOT_MODE}agent`,
  modes: ["agent", "plan", "autopilot"].map((id) => ({ id: `${COPILOT_MODE}${id}` })),
  settings: [
    {
      id: "allow_all",
      name: "Allow All",
      category: "permissions",
      value: "off",
      choices: [{ id: "on" }, { id: "off" }],
    },
    { id: "reasoning_effort", name: "Effort", category: "thought_level", value: "low" },
  ],
  commands: ["allow-all", "compact", "share"].map((name) => ({ name })),
};

export const DROID: Reported = {
  mode: "normal",
  modes: ["normal", "spec", "auto-low", "auto-medium", "auto-high"].map((id) => ({ id })),
};

export const GEMINI: Reported = {
  mode: "default",
  modes: ["default", "autoEdit", "yolo", "plan"].map((id) => ({ id })),
  commands: ["extensions", "extensions install", "extensions list", "help"].map((name) => ({ name })),
};

export const GROK: Reported = { commands: ["always-approve", "compact"].map((name) => ({ name })) };
