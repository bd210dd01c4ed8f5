/** Whether there is a git, which checkpoints are made with. */
import { findGit } from "../../workspace/git-version.ts";
import type { Finding } from "./finding.ts";

export async function checkGit(checkpoints: "on" | "off"): Promise<Finding> {
  const about = "git";
  const git = await findGit();
  if (git.isUsable) {
    const use = checkpoints === "on" ? "checkpoints can be taken" : "checkpoints are switched off";
    return { about, state: "ok", detail: `${git.version}; ${use}` };
  }
  if (checkpoints === "off") return { about, state: "ok", detail: `${git.reason} Checkpoints are off.` };
  return { about, state: "warning", detail: `${git.reason} Without it what agents change cannot be undone.` };
}
