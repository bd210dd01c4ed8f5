/** `interlingua search`: messages of all sessions by their words. */
import type { SearchResult } from "../../core/search-result.ts";
import { type CommandBody, JSON_OPTION, READER_OPTIONS } from "../command.ts";
import { formatAge } from "../format-age.ts";
import { openReader } from "../open-reader.ts";
import { print, printJson, printNote } from "../output.ts";
import type { Reader } from "../reader.ts";
import { resolveSession } from "../resolve-session.ts";
import { harmless, stylist } from "../run/style.ts";
import { UsageError } from "../usage-error.ts";

export const search: CommandBody = {
  positionals: ["WORDS"],
  details: [
    "What people and agents said, the newest first: every message with all of the words. The last word may be",
    "the beginning of one. Give several words in quotes. Where no daemon runs, what the last one wrote is read.",
  ].join("\n"),
  options: {
    ...JSON_OPTION,
    session: { type: "string", placeholder: "ID", help: "Only in this session" },
    limit: { type: "string", placeholder: "NUMBER", help: "At most so many (20)" },
    ...READER_OPTIONS,
  },
  async run(invocation) {
    const { flags, positionals } = invocation;
    const words = positionals[0]!.trim();
    if (!/[\p{L}\p{N}]/u.test(words)) throw new UsageError("search needs WORDS of letters or digits.");
    const most = readLimit(flags.text("limit") ?? "20");
    const named = flags.text("session");
    const reader = await openReader(invocation);
    try {
      const session = named === undefined ? undefined : await resolveSession(reader, named);
      const { found, hasMore } = await find(reader, { words, session }, most);
      if (flags.on("json")) printJson(found);
      else if (found.length > 0) print(found.map(toLines).join("\n\n"));
      else printNote("Nothing was found.");
      if (hasMore && !flags.on("json"))
        printNote(`There are more than these ${most}: --limit NUMBER shows more.`);
    } finally {
      await reader.close();
    }
    return 0;
  },
};

async function find(
  reader: Reader,
  query: Parameters<Reader["search"]>[0],
  most: number,
): Promise<{ found: SearchResult[]; hasMore: boolean }> {
  const found: SearchResult[] = [];
  for await (const result of reader.search(query)) {
    if (found.length === most) return { found, hasMore: true };
    found.push(result);
  }
  return { found, hasMore: false };
}

/** Who said it, where and when, and below it a part of what was said. */
function toLines({ session, title, message, role, at, archived, agent, snippet }: SearchResult): string {
  const style = stylist(process.stdout);
  const who = role === "assistant" ? agent : role === "user" ? "a person" : "the daemon";
  const where = [session, ...(title === undefined ? [] : [`"${title}"`])].join(" ");
  const head = `${where}${archived ? " (archived)" : ""}  ${message}  ${who}, ${formatAge(at, Date.now())} ago`;
  const said = snippet.map(({ text, match }) => (match ? style("bold", harmless(text)) : harmless(text)));
  return `${style("dim", harmless(head))}\n  ${said.join("")}`;
}

function readLimit(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new UsageError(`--limit: "${text}" is not a number of messages. Give 1 or more.`);
  return Number(text);
}
