/** Fetches a public page as text. */
import { z } from "zod";
import type { ModelTool } from "./tool.ts";
import { ToolFailure } from "./tool-failure.ts";
import { withVisibleCharacters } from "./visible-characters.ts";
import { decodeBody } from "./web/decode-body.ts";
import { htmlText } from "./web/html-text.ts";
import { requestBody } from "./web/request-body.ts";

const HTML = /^\s*(?:text\/html|application\/xhtml\+xml)\b/i;
const TEXT =
  /^\s*(?:text\/|application\/(?:json|xml|javascript|yaml|toml|x-ndjson)\b|[\w.-]+\/[\w.-]+\+(?:json|xml)\b)/i;

const input = z.object({ url: z.string().describe("http or https.") });

export const webFetch: ModelTool<z.infer<typeof input>> = {
  name: "web_fetch",
  kind: "fetch",
  description: "Fetches a public page and gives its text. HTML becomes plain text with links.",
  input,
  permission: "fetch",
  title: ({ url }) => withVisibleCharacters(`Fetch ${url}`),
  async run({ url }, { signal, web }) {
    const headers = { accept: "text/html, text/*;q=0.9, application/json;q=0.9, */*;q=0.1" };
    const body = await requestBody({ url, headers, signal, assertWanted: assertText }, web);
    const { text, encoding } = decodeBody(body.bytes, body.contentType);
    return {
      result: {
        type: "web_browse_result",
        mode: "http",
        url,
        final_url: body.finalUrl,
        status: body.status,
        content_type: body.contentType,
        encoding,
        text: HTML.test(body.contentType) ? htmlText(text, body.finalUrl) : text,
        ...(body.isCut && { truncated: true }),
      },
    };
  },
};

/** Many servers name no type for plain text. */
function assertText(contentType: string): void {
  if (contentType === "" || TEXT.test(contentType) || HTML.test(contentType)) return;
  throw new ToolFailure(
    "unsupported_content",
    `This is ${JSON.stringify(contentType.slice(0, 100))}. Only text, HTML, JSON and XML can be fetched.`,
  );
}
