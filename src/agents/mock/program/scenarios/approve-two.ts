import type { Scenario } from "../scenario.ts";
import { textField } from "../text-field.ts";
import type { Turn } from "../turn.ts";

export const APPROVE_TWO: Scenario = {
  name: "approve-two",
  summary: "two permissions at once",
  async play(turn) {
    const lint = await startCommand(turn, "npm run lint");
    const build = await startCommand(turn, "npm run build");
    const verdicts = await Promise.all([lint.run(), build.run()]);
    await turn.startStep();
    const allowed = verdicts.filter(Boolean).length;
    await turn.text(`${allowed} of 2 commands were allowed.`);
  },
};

async function startCommand(turn: Turn, command: string) {
  const call = await turn.startCall("run_command", {
    title: `Run ${command}`,
    kind: "execute",
    input: { command },
  });
  const run = async (): Promise<boolean> => {
    const { isAllowed, input } = await turn.permit(call);
    if (isAllowed)
      await call.output({ command: textField(input, "command") ?? command, stdout: "" }, { exitCode: 0 });
    return isAllowed;
  };
  return { run };
}
