import { describe, expect, it } from "vitest";
import { checkLog } from "../../core/check-log.ts";
import type { Message } from "../../core/message.ts";
import type { PromptPart } from "../../core/prompt-part.ts";
import { httpError, type ScriptContext, text, toolCall } from "../../testkit/scripted-model/index.ts";
import type { SessionRun } from "../../testkit/session-run.ts";
import { ModelWorld } from "./with-model.test-support.ts";

const bodyOf = ({ request }: ScriptContext) => JSON.stringify(request.body);
const heard = ({ model }: ModelWorld) => JSON.stringify(model.requests.at(-1)!.body);

const file = (mediaType: string, data: string, filename: string): PromptPart => ({
  type: "file",
  url: `data:${mediaType};base64,${data}`,
  mediaType,
  filename,
});

async function closed(session: SessionRun): Promise<void> {
  expect(checkLog(await session.close(), { complete: true })).toEqual([]);
}

/** Refuses whatever has the word in it. */
const refusing =
  (word: string, message = "no such thing") =>
  (context: ScriptContext) =>
    bodyOf(context).includes(word) ? [httpError(400, { message })] : [text("Hello.")];

describe("a prompt the provider refuses does not break the session", () => {
  it.each([["anthropic/claude-sonnet-4-5"], ["openai/gpt-5.1"], ["ollama/qwen3"]])("of %s", async (model) => {
    const play = refusing("UNSPEAKABLE");
    await using world = await ModelWorld.start({ first: play, next: play });
    const session = await world.run({ model });
    const refused = await session.turn("UNSPEAKABLE [[first]]");
    expect(refused).toMatchObject({
      outcome: "failed",
      error: { code: "request_refused", message: expect.stringMatching(/answered 400.*left out/) },
    });
    expect(await session.turn("Hello [[next]]")).toMatchObject({ outcome: "completed" });
    expect(heard(world)).toContain("A message of the user is left out");
    await closed(session);
  });

  it("for its picture: its text stays", async () => {
    const play = refusing("UElYRUw=", "could not process image");
    await using world = await ModelWorld.start({ first: play, next: play });
    const session = await world.run();
    const files = [file("image/png", "UElYRUw=", "bird.png")];
    expect(await session.turn("Which bird? [[first]]", { files })).toMatchObject({ outcome: "failed" });
    expect(await session.turn("Well? [[next]]")).toMatchObject({ outcome: "completed" });
    expect(heard(world)).toMatch(/left out.*bird\.png.*Which bird\?/);
    await closed(session);
  });

  it("for a picture that another model took", async () => {
    const play = (context: ScriptContext) =>
      context.request.api === "openai-chat" && bodyOf(context).includes("UElYRUw=")
        ? [httpError(400, { message: "this model has no eyes" })]
        : [text("Hello.")];
    await using world = await ModelWorld.start({ play });
    const session = await world.run();
    await session.turn("Which bird? [[play]]", { files: [file("image/png", "UElYRUw=", "bird.png")] });
    await session.session.send({ type: "configure", model: "ollama/qwen3" });
    expect((await session.turn("And now? [[play]]")).outcome).toBe("failed");
    expect((await session.turn("Now? [[play]]")).outcome).toBe("failed");
    expect((await session.turn("Now, then? [[play]]")).outcome).toBe("completed");
    expect(heard(world)).toContain("Which bird?");
    await closed(session);
  });

  it("after a restart", async () => {
    const play = refusing("UNSPEAKABLE");
    await using world = await ModelWorld.start({ first: play, next: play });
    const message = (fields: Partial<Message>) => ({ metadata: {}, ...fields }) as Message;
    const past = [
      message({ id: "u1", role: "user", content: [{ type: "text", text: "UNSPEAKABLE [[first]]" }] }),
      message({
        id: "m1",
        role: "assistant",
        content: [],
        metadata: { agent: "model", outcome: "failed", error: { code: "request_refused", message: "no" } },
      }),
    ];
    async function* history() {
      yield* past.toReversed();
    }
    const session = await world.run({ history: history() });
    expect(await session.turn("Hello [[next]]")).toMatchObject({ outcome: "completed" });
    await closed(session);
  });
});

describe("files", () => {
  it("that no model can read are not sent, which is told to both sides", async () => {
    await using world = await ModelWorld.start({ hello: [text("Hello.")] });
    const session = await world.run();
    const files = [file("application/zip", "UEsDBAD/", "birds.zip")];
    expect(await session.turn("Open it [[hello]]", { files })).toMatchObject({ outcome: "completed" });
    expect(session.of("notice")).toMatchObject([
      {
        level: "warning",
        code: "file",
        text: expect.stringMatching(/birds\.zip is not sent.*application\/zip/),
      },
    ]);
    expect(heard(world)).toContain("birds.zip is not sent");
    expect(heard(world)).not.toContain("UEsDBAD/");
    await closed(session);
  });

  it("of text are sent as text, whatever their type", async () => {
    await using world = await ModelWorld.start({ hello: [text("Hello.")] });
    const session = await world.run();
    const files = [file("application/x-sh", Buffer.from("echo kestrel").toString("base64"), "a.sh")];
    await session.turn("Read it [[hello]]", { files });
    expect(heard(world)).toContain("echo kestrel");
    await closed(session);
  });
});

describe("a conversation that no longer fits", () => {
  const isSummary = (context: ScriptContext) => bodyOf(context).includes("Summarise this conversation");
  const TOO_LONG = httpError(400, { message: "prompt is too long: 250000 tokens > 200000 maximum" });

  it("is summarised, and the request made again", async () => {
    const play = (context: ScriptContext) => {
      if (isSummary(context)) return [text("Of falcons.")];
      return bodyOf(context).includes("Kestrels") && bodyOf(context).includes("Merlins")
        ? [TOO_LONG]
        : [text("Yes.")];
    };
    await using world = await ModelWorld.start({ play });
    const session = await world.run();
    await session.turn("Kestrels? [[play]]");
    expect(await session.turn("Merlins? [[play]]")).toMatchObject({ outcome: "completed" });
    expect(session.of("compaction.ended").at(-1)).toMatchObject({ summary: "Of falcons." });
    expect(heard(world)).toMatch(/Of falcons\..*Merlins\?/);
    await closed(session);
  });

  it("is summarised in smaller pieces where the window is smaller than assumed", async () => {
    const play = (context: ScriptContext) => {
      const { length } = JSON.stringify(context.request.body.messages);
      if (isSummary(context)) return length > 5000 ? [TOO_LONG] : [text("Of falcons.")];
      return length > 11_000 ? [TOO_LONG] : [text("Yes.")];
    };
    await using world = await ModelWorld.start({ play });
    const session = await world.run();
    for (const bird of ["Kestrels", "Merlins", "Hobbies"])
      await session.turn(`${bird}? ${"x".repeat(3000)} [[play]]`);
    const { outcome } = await session.turn(`Eagles? ${"x".repeat(3500)} [[play]]`);
    expect(outcome).toBe("completed");
    expect(session.of("compaction.ended").at(-1)).toMatchObject({ summary: "Of falcons." });
    await closed(session);
  });

  it("because of one prompt, goes on without it", async () => {
    const play = (context: ScriptContext) =>
      bodyOf(context).includes("z".repeat(10_000)) ? [TOO_LONG] : [text("Yes.")];
    await using world = await ModelWorld.start({ play, next: play });
    const session = await world.run();
    expect(await session.turn(`${"z".repeat(50_000)} [[play]]`)).toMatchObject({
      outcome: "failed",
      error: { code: "context_full", message: expect.stringContaining("left out") },
    });
    expect(await session.turn("Hello [[next]]")).toMatchObject({ outcome: "completed" });
    await closed(session);
  });

  it("because of one result, goes on in the same turn without it", async () => {
    const play = (context: ScriptContext) => {
      if (isSummary(context)) return [text("Asked to count.")];
      if (bodyOf(context).includes("wwwwwwww")) return [TOO_LONG];
      return context.step === 0
        ? [toolCall("run_command", { command: "printf 'w%.0s' 1 2 3 4 5 6 7 8" })]
        : [text("Done.")];
    };
    await using world = await ModelWorld.start({ play });
    const session = await world.run({ permissionMode: "bypass" });
    expect(await session.turn("Count [[play]]")).toMatchObject({ outcome: "completed" });
    expect(heard(world)).toContain("The result is left out");
    await closed(session);
  });
});
