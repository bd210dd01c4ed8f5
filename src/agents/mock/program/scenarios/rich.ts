import type { Scenario } from "../scenario.ts";
import type { Turn } from "../turn.ts";

export const RICH: Scenario = {
  name: "rich",
  summary: "thinking, streamed input, partial output, a failing tool, a source, a file, two steps",
  async play(turn) {
    await turn.think("First I look for the newest figures, then I check them.");
    await runCommand(turn);
    await failToRead(turn);
    await turn.emit({
      event: "citation",
      citation: "source-1",
      url: "https://example.com/figures",
      title: "The figures",
    });
    await turn.startStep();
    await turn.emit({
      event: "attachment",
      url: `data:text/csv;base64,${Buffer.from("year,figure\n2024,42\n").toString("base64")}`,
      mediaType: "text/csv",
      filename: "figures.csv",
    });
    await turn.text("The figure for **2024** is 42, see `figures.csv`.");
  },
};

async function runCommand(turn: Turn): Promise<void> {
  const call = await turn.startCall("run_command", { title: "Count the figures", kind: "execute" });
  await call.typeInput({ command: "wc -l figures.csv" });
  await call.progress({ elapsedMs: 100 });
  await call.outputDelta("2 figures");
  await turn.pause(40);
  await call.outputDelta(".csv\n");
  await call.partialOutput({ stdout: "2 figures.csv\n" });
  await turn.pause(40);
  await call.output({ stdout: "2 figures.csv\n" }, { exitCode: 0 });
}

async function failToRead(turn: Turn): Promise<void> {
  const input = { path: "old-figures.csv" };
  const call = await turn.startCall("read_file", { title: "Read old-figures.csv", kind: "read", input });
  await turn.pause(40);
  await call.fail("There is no file old-figures.csv.");
}
