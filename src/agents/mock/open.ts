/** What a session with the mock is opened with: a process of its own. */
import type { ChildOpening, OpenOptions } from "../transport/define-protocol.ts";
import type { MockState } from "./conversation-state.ts";
import { createInbound } from "./inbound.ts";
import { launch } from "./launch.ts";
import type { MockOptions } from "./options.ts";

export async function open(session: OpenOptions<MockOptions>): Promise<ChildOpening<MockState>> {
  const { connect, options, directory } = session;
  return { launch: launch(connect, directory()), encoder: createInbound(connect, options.pace) };
}
