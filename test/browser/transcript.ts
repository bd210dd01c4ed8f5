/** The conversation as the page shows it and as the daemon has it, in one form to be compared. */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { PageDaemon } from "./page-daemon.ts";
import { PATIENT } from "./watched-page.ts";

interface Line {
  id: string;
  role: string;
  /** Texts and calls with their state, in order. */
  content: string[];
}

interface StoredPart {
  type: string;
  text?: string;
  toolCallId?: string;
  state?: string;
  data?: { ask: string; kind: string };
}

interface StoredMessage {
  id: string;
  role: string;
  parts: StoredPart[];
}

/** Waits until the page shows exactly what is stored, once and in order. */
export async function expectSameTranscript(page: Page, daemon: PageDaemon, session: string): Promise<Line[]> {
  const stored = await storedTranscript(daemon, session);
  await expect.poll(() => shownTranscript(page), PATIENT).toEqual(stored);
  return stored;
}

export async function storedTranscript(daemon: PageDaemon, session: string): Promise<Line[]> {
  const { messages } = await daemon.call<{ messages: StoredMessage[] }>(
    "GET",
    `/api/chat/${session}/messages`,
  );
  return messages.map(({ id, role, parts }) => {
    const carriers = parts.flatMap(({ type, data }) =>
      type === "data-ask" && data ? `${data.kind}_${data.ask}` : [],
    );
    return {
      id,
      role,
      content: parts.flatMap(({ type, text, toolCallId = "", state }) => {
        if (type === "text") return text ? plain(text) : [];
        if (!type.startsWith("tool-") || carriers.includes(toolCallId)) return [];
        return `${toolCallId} ${state}`;
      }),
    };
  });
}

async function shownTranscript(page: Page): Promise<Line[]> {
  // Calls that are over stand in one line until it is opened.
  for (const run of await page.locator("[data-run][data-state=closed] > button").all())
    await run.click().catch(() => {});
  const lines = await page.locator("[data-message]").evaluateAll((messages) =>
    messages.map((message) => ({
      id: message.getAttribute("data-message") ?? "",
      role: message.getAttribute("data-role") ?? "",
      content: [...message.querySelectorAll("[data-part=text], [data-call]")]
        .filter((part) => !part.closest("[data-subagent]"))
        .map((part) =>
          part.hasAttribute("data-call")
            ? `${part.getAttribute("data-call")} ${part.getAttribute("data-state-of-call")}`
            : (part.textContent ?? ""),
        ),
    })),
  );
  return lines.map((line) => ({ ...line, content: line.content.map(plain) }));
}

/** Markdown and white space are not what is compared. */
function plain(text: string): string {
  return text.replace(/[*`#]/g, "").replace(/\s+/g, " ").trim();
}
