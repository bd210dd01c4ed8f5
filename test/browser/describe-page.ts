/** What every suite of the page begins with: one browser and one daemon for all of its tests, and pages that show them. */
import type { Browser, BrowserContext } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe } from "vitest";
import { openBrowser } from "./open-browser.ts";
import { PageDaemon } from "./page-daemon.ts";
import { openPage, showSession, type Watched } from "./watched-page.ts";

/** While the file is loaded: where no browser starts, the whole file fails. */
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

/** Without a daemon. Skipped if INTERLINGUA_NO_BROWSER is 1, and only then. */
export function describeBrowser(name: string, suite: (follow: PageSuite["follow"]) => void): void {
  describe.skipIf(!browser)(name, { timeout: 120_000 }, () => {
    // An open page costs time as long as anything in it moves. Those of `beforeAll` are for all tests.
    let shared: readonly BrowserContext[];
    beforeEach(() => {
      shared = browser!.contexts();
    });
    afterEach(async () => {
      const own = browser!.contexts().filter((context) => !shared.includes(context));
      await Promise.all(own.map(closeContext));
    });
    afterAll(async () => {
      await Promise.all((browser?.contexts() ?? []).map(closeContext));
      await browser?.close();
    });

    suite((link, options = {}) => openPage(browser!, link, options));
  });
}

/** A request that the page made last may still be in a route handler, which fails when its page is closed. */
async function closeContext(context: BrowserContext): Promise<void> {
  const routed = [context, ...context.pages()];
  await Promise.all(routed.map((each) => each.unrouteAll({ behavior: "ignoreErrors" })));
  await context.close();
}

/** `config` is what stands in the daemon's config file. Skipped as `describeBrowser` is. */
export function describePage(name: string, config: object, suite: (tools: PageSuite) => void): void {
  describeBrowser(name, (follow) => {
    const daemon = new PageDaemon();

    beforeAll(() => daemon.start(config));

    afterAll(() => daemon.close());

    const visit = (options: object = {}) => follow(daemon.link, options);

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
