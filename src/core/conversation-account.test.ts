import { expect, it } from "vitest";
import { ACCOUNT_BEGINNING, writeAccount } from "./conversation-account.ts";
import type { ContentPart, Message } from "./message.ts";

function message(role: Message["role"], ...content: ContentPart[]): Message {
  const type = role === "user" ? "prompt" : "response";
  const at = { createdAt: 0, updatedAt: 0, firstSeq: 1, lastSeq: 1 };
  return { id: "m", session: "s", role, type, content, metadata: { agent: "mock" }, ...at };
}

async function* from(...messages: Message[]) {
  yield* messages;
}

it("tells who said what, and each call in one line", async () => {
  const account = await writeAccount(
    from(
      message(
        "assistant",
        { type: "reasoning", text: "secret thought" },
        { type: "tool_call", call: "c1", name: "Bash", input: { command: "ls\n-l" } },
        { type: "tool_result", call: "c1", state: "done", output: "a\nb" },
        { type: "tool_call", call: "c2", name: "Read", parent: "c1" },
        { type: "text", text: "Two files." },
      ),
      message("user", { type: "text", text: "List them" }),
    ),
  );
  expect(account?.startsWith(ACCOUNT_BEGINNING)).toBe(true);
  expect(account).toContain(
    'User: List them\n\nYou: (Tool Bash {"command":"ls\\n-l"}: done, a b)\nTwo files.\n\n[End of the account.',
  );
  expect(account).not.toMatch(/secret thought|Read/);
});

it("keeps the newest of a long conversation, says so, and reads no further", async () => {
  let read = 0;
  async function* endless() {
    for (;;) {
      read += 1;
      yield message("user", { type: "text", text: `number ${read} ${"x".repeat(1000)}` });
    }
  }
  const account = (await writeAccount(endless()))!;
  expect(account.length).toBeLessThan(50_000);
  expect(account).toContain("Earlier messages are left out");
  expect(account.indexOf("number 2 ")).toBeLessThan(account.indexOf("number 1 "));
  expect(read).toBeLessThan(60);
});

it("is nothing where nothing was said", async () => {
  expect(await writeAccount(from())).toBeUndefined();
});
