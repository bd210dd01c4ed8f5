/** The program: `node main.ts FAULT MEMORY`. */
import { LineSplitter, readableText } from "../../process/line-splitter.ts";
import { Agent } from "./agent.ts";
import { Speaker } from "./speaker.ts";
import { beginFault } from "./start-faults.ts";

const [fault = "none", memory = ""] = process.argv.slice(2);
const speaker = new Speaker();
if (!beginFault(fault, speaker)) {
  const agent = new Agent(speaker, fault, memory);
  const splitter = new LineSplitter();
  for await (const chunk of process.stdin) {
    for (const line of splitter.push(chunk)) agent.hear(JSON.parse(readableText(line)));
  }
}
