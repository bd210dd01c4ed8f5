/** Worlds for Claude Code. */
import { type AgentUnderTest, AgentWorld, type WorldOptions } from "./agent-world.ts";

/** Speaks with the scripted model and nobody else, and gives up soon. */
export const CLAUDE_AGENT: AgentUnderTest = {
  name: "claude",
  environment: ({ url }) => ({
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: "sk-ant-scripted",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    CLAUDE_CODE_MAX_RETRIES: "1",
  }),
};

/** With the Claude Code that INTERLINGUA_TEST_CLAUDE names, else with the one that was installed. */
export function claudeWorld(options: WorldOptions): Promise<AgentWorld> {
  const command = process.env.INTERLINGUA_TEST_CLAUDE;
  const agents = command && options.isInstalled !== false ? { claude: { command } } : undefined;
  return AgentWorld.start(CLAUDE_AGENT, { agents, ...options });
}
