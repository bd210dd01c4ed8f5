/** Whatever an agent puts into a message, the page holds a bounded part of it and does not fail. */
import { type ComponentType, createElement, type ReactElement } from "react";
import { renderToString } from "react-dom/server";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { AccessContext, accessOf } from "../access/use-access.tsx";
import AskCard from "../asks/ask-card.tsx";
import { type Block, messageBlocks } from "../chat/message-blocks.ts";
import { MessageEnding } from "../chat/message-ending.tsx";
import type { AskData, UIMessagePart } from "../chat/page-message.ts";
import { Blocks } from "./blocks.tsx";
import { valueText } from "./tool-summary.ts";

// Loaded at once: what is rendered on a server does not wait.
vi.mock("./markdown.tsx", async () => ({ Markdown: (await import("./markdown-text.tsx")).MarkdownText }));
vi.mock("../ui/lazy-part.tsx", () => ({
  lazyPart(load: () => Promise<{ default: ComponentType }>) {
    let Part: ComponentType = () => null;
    loading.push(
      load().then((module) => {
        Part = module.default;
      }),
    );
    return (props: object) => createElement(Part, props);
  },
}));
const { loading } = vi.hoisted(() => ({ loading: [] as Promise<void>[] }));

beforeAll(async () => {
  // A part may have parts of its own.
  for (let next = 0; next < loading.length; next += 1) await loading[next];
});

test("what is loaded late on the page is rendered here", () => {
  const data = { path: "/a.ts", kind: "changed", diff: "@@ -1 +1 @@\n-before\n+afterwards\n" };
  const html = partsHtml([{ type: "data-file-edit", id: "e", data }]);
  expect(html).toContain("afterwards");
});

const LONG = "word ".repeat(400_000);
const MANY = 10_000;
/** What the page may hold of one hostile thing, in characters of HTML. */
const MAX_HTML_LENGTH = 2_000_000;

/** As somebody who may answer, so that all there is to press is there. */
function renderAsOwner(element: ReactElement): string {
  const rights = ["ask.permission", "ask.question", "ask.plan"] as const;
  const access = accessOf({ name: "owner", role: "owner", rights: [...rights] });
  return renderToString(createElement(AccessContext, { value: access }, element));
}

function htmlOf(blocks: readonly Block[]): string {
  return renderAsOwner(createElement(Blocks, { blocks }));
}

function partsHtml(parts: readonly unknown[]): string {
  return htmlOf(messageBlocks({ id: "m", role: "assistant", parts: parts as UIMessagePart[] }));
}

function nested(depth: number): unknown {
  let value: unknown = "inside";
  for (let level = 0; level < depth; level += 1) value = { a: value };
  return value;
}

const ask: AskData = {
  ask: "a",
  kind: "question",
  title: LONG,
  description: LONG,
  state: "open",
  options: Array.from({ length: MANY }, (_, id) => ({ id: String(id), label: LONG, effect: "once" })),
  questions: Array.from({ length: MANY }, (_, id) => ({
    id: String(id),
    text: LONG,
    options: Array.from({ length: 100 }, (_, value) => ({
      value: String(value),
      label: LONG,
      description: LONG,
    })),
  })),
} as AskData;

const tool = (id: number, more: object = {}) => ({
  type: "tool-run",
  toolCallId: `call-${id}`,
  state: "output-available",
  input: { command: "true" },
  output: "done",
  ...more,
});

const HOSTILE: Record<string, unknown[]> = {
  "long title, input, output": [tool(1, { title: LONG, input: LONG, output: LONG })],
  "long error": [tool(1, { state: "output-error", errorText: LONG })],
  "deep input": [tool(1, { input: nested(20_000), output: nested(20_000) })],
  "input of many fields": [
    tool(1, {
      input: Object.fromEntries(Array.from({ length: MANY }, (_, name) => [name, LONG.slice(0, 50)])),
    }),
  ],
  "long text": [{ type: "text", text: LONG }],
  "one line": [{ type: "text", text: "a".repeat(1_000_000) }],
  "many lines": [{ type: "text", text: "a\n".repeat(100_000) }],
  "combining characters": [{ type: "text", text: `a${"\u0301".repeat(100_000)}` }],
  "right to left": [{ type: "text", text: "\u202e\u05d0".repeat(100_000) }],
  reasoning: [{ type: "reasoning", text: LONG }],
  plan: [
    {
      type: "data-plan",
      id: "p",
      data: {
        entries: Array.from({ length: MANY }, () => ({ text: LONG.slice(0, 3000), status: "pending" })),
      },
    },
  ],
  notices: [{ type: "data-notice", data: { level: "error", text: LONG } }],
  edits: Array.from({ length: 500 }, (_, index) => ({
    type: "data-file-edit",
    data: { path: `${index}/${LONG}`, kind: "changed", diff: `@@ -1 +1 @@\n${"+a\n".repeat(MANY)}+${LONG}` },
  })),
  sources: Array.from({ length: MANY }, (_, index) => ({
    type: "source-url",
    sourceId: `${index}`,
    url: LONG,
  })),
  calls: Array.from({ length: 5000 }, (_, index) => tool(index)),
  texts: Array.from({ length: 5000 }, (_, index) => ({ type: "text", text: `part ${index}` })),
  "sub-agents inside one another": [
    tool(0),
    ...Array.from({ length: 2000 }, (_, index) => ({
      type: "data-subagent",
      id: `s${index}`,
      data: { parent: `call-${index}`, part: tool(index + 1) },
    })),
  ],
  questions: [{ type: "data-ask", data: ask }],
};

describe("hostile blocks", () => {
  test.each(Object.entries(HOSTILE))("%s", (name, parts) => {
    const html = partsHtml(parts);
    expect(html.length).toBeGreaterThan(100);
    expect(html.length).toBeLessThan(name === "edits" ? 4 * MAX_HTML_LENGTH : MAX_HTML_LENGTH);
  });

  test("a permission with 10,000 options", () => {
    const html = renderAsOwner(
      createElement(AskCard, {
        session: "s",
        ask: { ...ask, kind: "permission", questions: [] },
        isOpen: true,
      }),
    );
    expect(html.length).toBeLessThan(MAX_HTML_LENGTH);
  });

  test("an error of megabytes", () => {
    const metadata = { outcome: "failed", error: { code: LONG, message: LONG } } as never;
    expect(renderToString(createElement(MessageEnding, { metadata })).length).toBeLessThan(MAX_HTML_LENGTH);
  });

  test("what waits for a person is shown however much came after it", () => {
    const waiting = { ...ask, kind: "permission", title: "May I?", description: undefined, options: [] };
    const html = partsHtml([{ type: "data-ask", data: waiting }, ...HOSTILE.texts!]);
    expect(html).toContain("May I?");
    expect(html).toContain("part 4999");
    expect(html).not.toContain(">part 10<");
  });

  test("a value nested too deep is shown as far as it goes", () => {
    expect(valueText(nested(20_000))).toContain("nested deeper");
    expect(valueText(nested(20))).toContain("inside");
  });
});
