/** Every recording of Amp through our translator: they are few and small, so all are read by eye. */
import { protocol } from "../../src/agents/amp/protocol.ts";
import { describeRecordings } from "./describe-recordings.ts";
import { recordingsOf } from "./support.ts";

const names = recordingsOf("amp");

describeRecordings({ agent: "amp", protocol, atLeast: 15, views: names, damaged: names });
