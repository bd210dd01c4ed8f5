/** A person at the page: what they click, press and type is counted. */
import type { Locator, Page } from "playwright-core";

export class Hand {
  clicks = 0;
  keys = 0;
  /** Those that are not the prompt itself. */
  characters = 0;
  readonly steps: string[] = [];

  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async click(name: string, target: Locator): Promise<void> {
    await target.click();
    this.clicks += 1;
    this.steps.push(`click ${name}`);
  }

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
    this.keys += keys.length;
    this.steps.push(keys.join(" "));
  }

  async type(name: string, text: string): Promise<void> {
    await this.page.keyboard.type(text);
    this.characters += text.length;
    this.steps.push(`type ${name} (${text.length})`);
  }

  /** What has to be said anyway. */
  async say(text: string): Promise<void> {
    await this.page.keyboard.type(text);
    this.steps.push("say it");
  }
}
