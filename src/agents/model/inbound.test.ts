import { expect, it } from "vitest";
import { restoredFilesNote } from "../../core/restored-files.ts";
import { INITIAL_STATE } from "./conversation-state.ts";
import { createInbound } from "./inbound.ts";

it("a conversation is named after the user's words, and the model is told which files went back", () => {
  const inbound = createInbound("Model", { wire: 1 } as never);
  const note = restoredFilesNote({ paths: ["a.txt"], more: 0 });
  const parts = [note, "Tidy up"].map((text) => ({ type: "text" as const, text }));
  const [line = ""] = inbound.encode(INITIAL_STATE, { type: "prompt", message: "u", parts });
  const { params } = JSON.parse(line);
  expect(params.title).toBe("Tidy up");
  expect(params.text).toBe(`${note}\nTidy up`);
});
