/** Lists that come in pages: each page, in order, as long as a cursor leads on. */
import { call } from "./client.ts";

/** @example for await (const { asks } of readPages<{ asks: Ask[] }>("/v1/asks")) show(asks); */
export async function* readPages<Page extends object>(
  path: string,
  { cursor, signal }: { cursor?: string; signal?: AbortSignal } = {},
): AsyncGenerator<Page & { cursor?: string }, void> {
  for (let next = cursor, isFirst = true; isFirst || next !== undefined; isFirst = false) {
    const mark = path.includes("?") ? "&" : "?";
    const address = next === undefined ? path : `${path}${mark}cursor=${encodeURIComponent(next)}`;
    const page = await call<Page & { cursor?: string }>("GET", address, undefined, signal);
    yield page;
    next = page.cursor;
  }
}
