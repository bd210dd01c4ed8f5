/** A conversation in which tools of every kind are used, as the daemon would tell it. */

const ESC = "\u001b";

const DIFF = `--- a/src/tiles.ts
+++ b/src/tiles.ts
@@ -1,6 +1,7 @@ export
 import { readFile } from "node:fs/promises";

-export function tilePath(zoom: number, x: number): string {
-  return \`tiles/\${zoom}/\${x}.png\`;
+export function tilePath(zoom: number, x: number, y: number): string {
+  // Rows have a folder of their own.
+  return \`tiles/\${zoom}/\${x}/\${y}.png\`;
 }
`;

function tool(call: string, kind: string, more: object): object {
  return {
    type: `tool-${kind}`,
    toolCallId: call,
    state: "output-available",
    providerExecuted: true,
    callProviderMetadata: { interlingua: { kind } },
    ...more,
  };
}

const ANSWER = `Tiles are now kept **by row**. What changed:

| file | lines |
|---|---:|
| \`src/tiles.ts\` | 12 |
| \`README.md\` | 3 |

\`\`\`ts
/** Where a tile is kept. */
export const PATH = tilePath(3, 4, 5); // "tiles/3/4/5.png"
\`\`\`
`;

/** `cwd` is where the session works. */
export function toolMessages(cwd: string): object[] {
  return [
    {
      id: "prompt-1",
      role: "user",
      metadata: { turn: "t1" },
      parts: [{ type: "text", text: "Keep the tiles by row, please, and run the tests." }],
    },
    {
      id: "answer-1",
      role: "assistant",
      metadata: {
        turn: "t1",
        outcome: "completed",
        model: "mock-large",
        cost: 0.0312,
        durationMs: 144_300,
        waitedMs: 102_000,
        usage: { input: 41_000, output: 1_900 },
      },
      parts: [
        { type: "text", text: "I look at how tiles are found.", state: "done" },
        tool("read-1", "read", {
          title: `Read ${cwd}/src/tiles.ts`,
          input: { file_path: `${cwd}/src/tiles.ts` },
          output: "…",
        }),
        tool("read-2", "read", {
          title: "Read README.md",
          input: { file_path: `${cwd}/README.md` },
          output: "# Atlas",
        }),
        { type: "reasoning", text: "Rows first.", state: "done" },
        tool("search-1", "search", {
          title: "tilePath",
          input: { pattern: "tilePath" },
          output: `${cwd}/src/map.ts:14:  const path = tilePath(zoom, x);\n${cwd}/src/map.ts:90:tilePath(1, 2)\n${cwd}/src/index.ts:3:export { tilePath }`,
        }),
        tool("ls-1", "execute", { input: { command: "ls" }, output: "README.md\nsrc\n" }),
        { type: "text", text: "Then I change the path.", state: "done" },
        tool("edit-1", "edit", {
          title: `Edit ${cwd}/src/tiles.ts`,
          input: { file_path: `${cwd}/src/tiles.ts`, old_string: "a", new_string: "b" },
          output: "ok",
        }),
        {
          type: "data-ask",
          id: "a1",
          data: {
            ask: "a1",
            call: "edit-1",
            kind: "permission",
            title: "Edit src/tiles.ts",
            options: [
              { id: "yes", label: "Allow", effect: "once" },
              { id: "no", label: "Deny", effect: "reject" },
            ],
            state: "answered",
            answer: { option: "yes", effect: "once", by: "ada" },
          },
        },
        {
          type: "data-file-edit",
          id: "e1",
          data: { path: `${cwd}/src/tiles.ts`, kind: "changed", diff: DIFF, call: "edit-1" },
        },
        tool("test-1", "execute", {
          input: { command: "npm test -- --run", description: "Run the tests" },
          output: {
            stdout: `${ESC}[1m${ESC}[32m✓${ESC}[0m src/tiles.test.ts ${ESC}[2m(4 tests)${ESC}[0m\n${ESC}[41;97m FAIL ${ESC}[0m src/map.test.ts\n${ESC}[31mAssertionError${ESC}[0m: expected ${ESC}[33m"tiles/3/4.png"${ESC}[0m\n${ESC}[38;5;39mTests${ESC}[0m  1 failed | 4 passed\n`,
            exit_code: 1,
          },
        }),
        { type: "data-tool-result", id: "test-1", data: { call: "test-1", exitCode: 1 } },
        tool("agent-1", "agent", {
          title: "Look for other uses",
          input: { description: "Look for other uses", prompt: "…" },
          output: "There are none.",
        }),
        {
          type: "data-subagent",
          id: "agent-1:1",
          data: {
            parent: "agent-1",
            part: tool("sub-1", "search", {
              title: "tiles/",
              input: { pattern: "tiles/" },
              output: "src/map.ts",
            }),
          },
        },
        {
          type: "data-subagent",
          id: "agent-1:2",
          data: { parent: "agent-1", part: { type: "text", text: "There are none." } },
        },
        {
          type: "data-plan",
          id: "p1",
          data: {
            entries: [
              { text: "Keep tiles by row", status: "done" },
              { text: "Mend the test of the map", status: "active" },
              { text: "Write it down", status: "pending" },
            ],
          },
        },
        { type: "text", text: ANSWER, state: "done" },
      ],
    },
  ];
}
