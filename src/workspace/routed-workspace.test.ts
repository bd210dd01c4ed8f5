import { expect, it } from "vitest";
import { openWorkspace } from "./open-workspace.ts";
import { routeWorkspace } from "./routed-workspace.ts";
import { TestProject } from "./workspace-test-support.ts";

it("checkpoints of sessions that were deleted elsewhere go once they are old; others stay", async () => {
  using project = new TestProject();
  project.write("a", "1\n");
  const { directory } = project;
  let now = Date.now() - 2 * 3_600_000;
  const inner = openWorkspace({ directory: project.workspaces, now: () => now });
  const placed = { workspace: inner, place: { id: "d", name: "node" } };
  const workspace = routeWorkspace({
    local: placed,
    shared: placed,
    isShared: () => false,
    isKnown: async (session) => session === "known",
  });
  const take = async (session: string) => (await workspace.capture({ session, directory })).id;
  const old = await take("deleted/ü");
  const known = await take("known");
  now = Date.now();
  // Its session may just be being made.
  const young = await take("new");
  expect(workspace.placeOf?.(directory)).toEqual({ id: "d", name: "node" });
  await workspace.collectGarbage();
  expect(await workspace.findKept(directory, [old, known, young])).toEqual(new Set([known, young]));
});
