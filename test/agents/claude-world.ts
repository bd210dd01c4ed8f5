/** Worlds for Claude Code. */
import { AgentWorld, type WorldOptions } from "./agent-world.ts";

/** What it needs to speak with the scripted model and nobody else, and to give up soon. */
export function claudeEnvironment({ url }: { url: string }): Record<string, string> {
  return {
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: "sk-ant-scripted",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    CLAUDE_CODE_MAX_RETRIES: "1",
  };
}

/** With the Claude Code that INTERLINGUA_TEST_CLAUDE names, else with the one that was installed. */
export function claudeWorld(options: WorldOptions): Promise<AgentWorld> {
  const command = process.env.INTERLINGUA_TEST_CLAUDE;
  const agents = command && options.isInstalled !== false ? { claude: { command } } : undefined;
  return AgentWorld.start({ name: "claude", environment: claudeEnvironment }, { agents, ...options });
}
