/** Whether the daemon serves another build of the page than the one that runs. */

/** The first script of a page: its name carries a hash of its content. */
export function entryOf(html: string): string | undefined {
  return /<script[^>]+type="module"[^>]+src="([^"]+)"/.exec(html)?.[1];
}

/** False where that cannot be told. */
export async function hasNewVersion(): Promise<boolean> {
  const mine = document.querySelector("script[type=module]")?.getAttribute("src");
  try {
    const response = await fetch("/", { cache: "no-store", credentials: "omit" });
    if (!response.ok) return false;
    const served = entryOf(await response.text());
    return served?.startsWith("/assets/") === true && served !== mine;
  } catch {
    return false;
  }
}
