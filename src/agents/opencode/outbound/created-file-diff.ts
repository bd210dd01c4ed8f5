/** The unified diff of a file that was not there before. */
export function createdFileDiff(path: string, content: string): string {
  const lines = content.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const range = lines.length === 0 ? "0,0" : `1,${lines.length}`;
  return [
    `--- /dev/null`,
    `+++ ${path}`,
    `@@ -0,0 +${range} @@`,
    ...lines.map((line) => `+${line}`),
    "",
  ].join("\n");
}
