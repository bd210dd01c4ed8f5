/** Worlds for Claude Code. */
import { AgentWorld, type WorldOptions } from "./agent-world.ts";

const CLAUDE = {
  name: "claude",
  environment: ({ url }: { url: string }) => ({
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: "sk-ant-scripted",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    CLAUDE_CODE_MAX_RETRIES: "1",
  }),
};

export function claudeWorld(options: WorldOptions): Promise<AgentWorld> {
  return AgentWorld.start(CLAUDE, options);
}
