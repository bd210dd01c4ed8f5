/** Two homes of one agent, with files as it writes them, for tests of what travels between them. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { AdapterMemory, Conversation } from "../../core/adapter-memory.ts";

export interface TestHome {
  readonly path: string;
  write(file: string, content: string): void;
  /** By their paths. */
  files(): Record<string, string>;
}

export function temporaryHome(): TestHome {
  const path = mkdtempSync(join(tmpdir(), "il-home-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return {
    path,
    write(file, content) {
      mkdirSync(dirname(join(path, file)), { recursive: true });
      writeFileSync(join(path, file), content);
    },
    files() {
      const found = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) =>
        entry.isFile(),
      );
      const read = ({ parentPath, name }: { parentPath: string; name: string }) => {
        const file = join(parentPath, name);
        return [file.slice(path.length + 1), readFileSync(file, "utf8")] as const;
      };
      return Object.fromEntries(found.map(read).sort());
    },
  };
}

export function conversationOf(
  agentSessionId: string,
  environment: Record<string, string> = {},
): Conversation {
  return { sessionId: "s", cwd: "/srv/project", agentSessionId, environment };
}

/** Captures with one and restores with the other. Gives the names of the parts. */
export async function travel(
  from: AdapterMemory,
  to: AdapterMemory,
  conversation: Conversation,
): Promise<string[]> {
  const updates = await from.capture(conversation, new Map());
  const parts = new Map(updates.map(({ part, data }) => [part, data]));
  await to.restore(conversation, parts, async () => {});
  return [...parts.keys()];
}
