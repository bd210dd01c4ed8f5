/** What every suite of the page begins with: one browser and one daemon for all of its tests, and pages that show them. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe } from "vitest";
import { openBrowser } from "./open-browser.ts";
import { PageDaemon } from "./page-daemon.ts";
import { openPage, showSession, type Watched } from "./watched-page.ts";

const browser: Browser | undefined = await openBrowser();

export interface PageSuite {
  /** Runs from the first test on. */
  daemon: PageDaemon;
  /** A page in a browser context of its own. */
  visit(options?: object): Promise<Watched>;
  /** A page that was opened with another link than the daemon's own, in a context of its own. */
  follow(link: string, options?: object): Promise<Watched>;
  /** Visits with this session open. */
  show(session: string, options?: object): Promise<Watched>;
  /** Visits with a new session, made with `fields`. */
  open(session: string, fields?: object, options?: object): Promise<Watched>;
}

/** `config` is what stands in the daemon's config file. Skipped where no browser can run. */
export function describePage(name: string, config: object, suite: (tools: PageSuite) => void): void {
  describe.skipIf(!browser)(name, { timeout: 120_000 }, () => {
    const daemon = new PageDaemon();

    beforeAll(() => daemon.start(config));

    afterAll(async () => {
      await browser?.close();
      await daemon.close();
    });

    const visit = (options: object = {}) => openPage(browser!, daemon.link, options);

    const follow = (link: string, options: object = {}) => openPage(browser!, link, options);

    async function show(session: string, options: object = {}): Promise<Watched> {
      const watched = await visit(options);
      await showSession(watched.page, session);
      return watched;
    }

    async function open(session: string, fields: object = {}, options: object = {}): Promise<Watched> {
      await daemon.createSession(session, fields);
      return show(session, options);
    }

    suite({ daemon, visit, follow, show, open });
  });
}
