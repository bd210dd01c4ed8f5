/** What of a page is a barrier to somebody, as axe finds it: serious and critical findings, one line for each element. */
import type { Page } from "playwright-core";
import { importLocked } from "../locked-packages.ts";

interface Finding {
  id: string;
  impact: string | null;
  nodes: { html: string; failureSummary?: string }[];
}

/** What is used of it in the page. */
interface Axe {
  run(context: Document, options: object): Promise<{ violations: Finding[] }>;
}

const { default: axe } = await importLocked<{ default: { source: string } }>("browser", "axe-core");

/** Of the whole page as it is now. */
export async function findBarriers(page: Page): Promise<string[]> {
  // Not a script element: the page's policy has none from elsewhere.
  await page.evaluate(`window.axe ?? (() => { ${axe.source} })()`);
  const violations = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: Axe };
    const { violations } = await axe.run(document, { resultTypes: ["violations"] });
    return violations;
  });
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) =>
      nodes.slice(0, 5).map(({ html, failureSummary }) => {
        const why = failureSummary?.split("\n").slice(1).join(" ").trim() ?? "";
        return `${id}: ${html.slice(0, 200)} ${why.slice(0, 240)}`;
      }),
    );
}
