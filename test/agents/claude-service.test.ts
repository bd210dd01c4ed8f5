/** Claude Code behind `createAgentService`, and its own output through `interlingua/native`. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readUIMessageStream, type UIMessage, type UIMessageChunk } from "ai";
import { expect, it } from "vitest";
import { nativeAdapter } from "../../src/native/index.ts";
import { createAgentService, Interlingua } from "../../src/sdk/index.ts";
import { TOKEN } from "../../src/server/http-client-test-support.ts";
import { text, toolCall } from "../../src/testkit/scripted-model/index.ts";
import { chunksOf, expectReadable } from "../native/native-responses.ts";
import { claudeWorld } from "./claude-world.ts";

it("writes a file after it was allowed to, and goes on in the same session", async () => {
  await using world = await claudeWorld({
    scripts: (project) => ({
      write: [[toolCall("Write", { file_path: join(project, "a.txt"), content: "A" })], [text("Written.")]],
      more: [[text("Nothing more.")]],
    }),
  });
  const client = Interlingua.connect({ baseUrl: world.url, token: TOKEN });
  const service = createAgentService<UIMessageChunk>("claude-code", { client });
  const stream = service.invoke("Write it [[write]]", world.project, "service");
  const chunks: UIMessageChunk[] = [];
  const said = new Set<unknown>();
  for await (const { type, chunk, rawAgentMessage, agentResult } of stream) {
    if (chunk) chunks.push(chunk);
    if (rawAgentMessage) said.add((rawAgentMessage as { type: string }).type);
    if (chunk?.type === "tool-approval-request")
      await (await stream.session).reply(chunk.approvalId, { reply: "once" });
    if (type === "chunk") continue;
    expect(type).toBe("complete");
    expect(agentResult).toMatchObject({
      agentType: "claude-code",
      sessionId: "service",
      agentSessionId: expect.any(String),
      outcome: "completed",
      rawAgentMessage: { type: "result", subtype: "success" },
    });
  }
  expect(said).toContain("stream_event");
  expect(readFileSync(join(world.project, "a.txt"), "utf8")).toBe("A");
  let message: UIMessage | undefined;
  for await (const next of readUIMessageStream({ stream: ReadableStream.from(chunks) })) message = next;
  expect(message?.parts).toContainEqual(expect.objectContaining({ type: "text", text: "Written." }));

  const ends = [];
  for await (const event of service.invoke("And now? [[more]]", world.project, "service"))
    if (event.type !== "chunk") ends.push(event.agentResult?.outcome);
  expect(ends).toEqual(["completed"]);

  // What it really said, read without the daemon, is the same conversation.
  const session = await stream.session;
  const { raws } = await session.raw({ limit: 1000 });
  const lines = raws.flatMap(({ direction, data }) =>
    direction === "in" && typeof data === "string" ? [data] : [],
  );
  const adapted = await expectReadable(await chunksOf(nativeAdapter("claude").adaptStream(lines)));
  const texts = adapted?.parts.flatMap((part) => (part.type === "text" && "text" in part ? [part.text] : []));
  expect(texts).toEqual(["Written.", "Nothing more."]);
});
