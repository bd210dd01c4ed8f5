/** ACP agents that tell of an edit by the texts alone: it is shown where it stands in the file. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { text, toolCall } from "../../src/testkit/scripted-model/index.ts";
import { ACP_AGENTS } from "./acp-agents.ts";
import { ofType } from "./agent-session.ts";
import { AgentWorld } from "./agent-world.ts";

const FOUND = "= 150;";
const PUT = "= 151;";

const TOOLS = {
  "claude-agent-acp": (path: string) => [
    toolCall("Read", { file_path: path }),
    toolCall("Edit", { file_path: path, old_string: FOUND, new_string: PUT }),
  ],
  "opencode-acp": (path: string) => [
    toolCall("read", { filePath: path }),
    toolCall("edit", { filePath: path, oldString: FOUND, newString: PUT }),
  ],
};

it.each(Object.entries(TOOLS))(
  "%s edits line 150, and neither the ask nor the log shows it as line 1",
  async (name, tools) => {
    const agent = ACP_AGENTS.find((each) => each.name === name)!;
    await using world = await AgentWorld.start(agent, {
      scripts: (project) => ({
        edit: [...tools(join(project, "a.ts")).map((call) => [call]), [text("Edited.")]],
      }),
    });
    const lines = Array.from({ length: 200 }, (_, index) => `line ${index + 1}\n`).join("");
    writeFileSync(join(world.project, "a.ts"), lines.replace("line 150", `const a ${FOUND}`));
    const session = await world.session(agent.session);
    const { message } = await session.prompt("Edit [[edit]]");
    const { ask, changes } = await session.event("ask.opened");
    await session.answer(ask, { reply: "once" });
    const { events } = await session.turnOf(message);
    const hunk = [
      ...["@@ -147,7 +147,7 @@", " line 147", " line 148", " line 149"],
      ...[`-const a ${FOUND}`, `+const a ${PUT}`, " line 151", " line 152", " line 153", ""],
    ].join("\n");
    expect(changes![0]!.diff).toContain(hunk);
    expect(ofType(events, "file.edited")[0]?.diff).toContain(hunk);
  },
);
