/** Every recording of the model agent through our translator: of each provider, of each ask, of what goes wrong. */
import { modelProtocols } from "../../src/agents/model/protocol.ts";
import { describeRecordings } from "./describe-recordings.ts";
import { recordingsOf } from "./support.ts";

const names = recordingsOf("model");

describeRecordings({
  agent: "model",
  protocol: modelProtocols({ providers: {} })[0]!,
  atLeast: 20,
  views: ["tool-loop", "lost-connection", "compaction", "permission-reject", "openai-responses"],
  damaged: names,
});
