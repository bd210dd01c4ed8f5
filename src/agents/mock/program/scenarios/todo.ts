import { existsSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { unifiedDiff } from "../../../../core/unified-diff.ts";
import { readText } from "../read-text.ts";
import type { Scenario } from "../scenario.ts";

const CONTENTS = {
  "main.py": "from models import Todo\n\nprint(Todo('write tests'))\n",
  "models.py": "class Todo:\n    def __init__(self, text):\n        self.text = text\n",
  "tests.py": "from models import Todo\n\nassert Todo('a').text == 'a'\n",
};

export const TODO: Scenario = {
  name: "todo",
  summary: "writes three files, each with a tool, and says so",
  async play(turn) {
    await turn.think("A TODO app needs a model, a program and tests.");
    await turn.text("I create the TODO app with 3 files:");
    for (const [path, content] of Object.entries(CONTENTS)) {
      const before = existsSync(path) ? readText(path) : undefined;
      const write = await turn.startCall("write_to_file", {
        title: `Write ${path}`,
        kind: "edit",
        input: { path, content },
      });
      writeFileSync(path, content);
      const change = before === undefined ? ("created" as const) : ("changed" as const);
      const diff = unifiedDiff(path, before, content);
      await turn.emit({ event: "file_changed", path: resolve(path), change, diff, call: write.id });
      await write.output({ type: "write_file_result", path });
    }
  },
};
