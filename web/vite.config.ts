/** How the page is built. The daemon serves the result as plain files under a strict Content-Security-Policy. */
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** Where `vite dev` finds a daemon. */
const DAEMON = process.env.INTERLINGUA_URL ?? "http://127.0.0.1:4111";

/** What stands for a plugin of Markdown that the page never runs. */
const NO_PLUGIN = `${import.meta.dirname}/src/parts/no-plugin.ts`;

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss()],
  // The hooks pin a slightly older copy of the same package.
  resolve: {
    dedupe: ["ai"],
    alias: [
      // Streamdown names them as its defaults. HTML of agents is shown as text, so the page needs no parser of HTML.
      { find: /^rehype-(raw|sanitize|harden)$/, replacement: NO_PLUGIN },
      // These write Markdown, which the page only reads.
      { find: /^(mdast-util-to-markdown|markdown-table)$/, replacement: NO_PLUGIN },
      // A second reader of Markdown, by which text is cut while it is written; ours is `markdown-blocks.ts`.
      { find: /^marked$/, replacement: NO_PLUGIN },
      // Decides between classes of streamdown and ours; we give it none.
      {
        find: /^tailwind-merge$/,
        replacement: `${import.meta.dirname}/src/parts/no-class-merging.ts`,
      },
      // The AI SDK brings two forms of zod; one is enough for what the page reads.
      { find: /^zod\/v4(\/core)?$/, replacement: `${import.meta.dirname}/src/small-zod.ts` },
    ],
  },
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "es2022",
    license: { fileName: "LICENCES.md" },
    // Everything is loaded from the daemon as a file: inlined data would need exceptions in the policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 2000,
    // Descriptions of data that nobody uses are left out: making one does nothing else.
    rolldownOptions: { treeshake: { manualPureFunctions: ["z", "z$1"] } },
  },
  server: { proxy: { "/v1": DAEMON, "/api": DAEMON } },
});
