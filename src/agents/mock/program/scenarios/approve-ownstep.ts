import type { Scenario } from "../scenario.ts";
import { textField } from "../text-field.ts";

export const APPROVE_OWNSTEP: Scenario = {
  name: "approve-ownstep",
  summary: "a permission while a sibling call is unfinished",
  async play(turn) {
    const search = await turn.startCall("search_web", {
      title: "Search for release notes",
      kind: "search",
      input: { query: "release notes" },
    });
    await search.progress({ found: 1 });
    const command = "npm publish --dry-run";
    const publish = await turn.startCall("run_command", {
      title: `Run ${command}`,
      kind: "execute",
      input: { command },
    });
    const { isAllowed, input } = await turn.permit(publish);
    if (isAllowed)
      await publish.output({ command: textField(input, "command") ?? command, stdout: "" }, { exitCode: 0 });
    await turn.pause(30);
    await search.output({ results: ["https://example.com/release-notes"] });
    await turn.startStep();
    await turn.text(`The search is done; the command was ${isAllowed ? "run" : "not run"}.`);
  },
};
