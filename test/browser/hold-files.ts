/** Files that a page reads are not there before the test says so. */
import type { Page } from "playwright-core";

declare global {
  interface Window {
    /** Lets all that is being read go on, or fail. */
    releaseFiles: (outcome?: "load" | "error") => void;
  }
}

export function holdFiles(page: Page): Promise<void> {
  return page.evaluate(() => {
    const { readAsDataURL } = FileReader.prototype;
    const held: ((outcome: "load" | "error") => void)[] = [];
    FileReader.prototype.readAsDataURL = function (file) {
      held.push((outcome) => {
        if (outcome === "load") return readAsDataURL.call(this, file);
        Object.defineProperty(this, "error", { value: new Error("it is gone") });
        this.dispatchEvent(new ProgressEvent("error"));
      });
    };
    window.releaseFiles = (outcome = "load") => {
      for (const release of held.splice(0)) release(outcome);
    };
  });
}
