/** The fonts of the browser from npm, which lack one of fixed width, together with those of the system. */
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The path of a configuration that names both. */
export async function writeFontConfiguration(): Promise<string> {
  const file = join(tmpdir(), "interlingua-test-fonts.conf");
  const folders = [join(tmpdir(), "fonts"), "/usr/share/fonts", "/usr/local/share/fonts"];
  await writeFile(
    file,
    `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
${folders.map((folder) => `  <dir>${folder}</dir>`).join("\n")}
  <cachedir>${join(tmpdir(), "interlingua-test-fonts-cache")}</cachedir>
</fontconfig>
`,
  );
  return file;
}
