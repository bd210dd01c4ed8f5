/** Which of the agents that come with Interlingua say that they cost something without costing real money. */
import { CAPABILITIES, NAME } from "./mock/manifest.ts";

/** As their manifests say, for programs that ask no daemon. */
export function hasPlayMoney(agent: string): boolean {
  return agent === NAME && CAPABILITIES.playMoney === true;
}
