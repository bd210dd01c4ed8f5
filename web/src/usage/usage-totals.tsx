/** What was used altogether. */
import { formatCost, formatCount, formatDuration } from "../ui/format.ts";
import { type Amounts, workedMs } from "./usage-groups.ts";

export function UsageTotals({ total }: { total: Amounts }) {
  const { cost, playCost, input, output, turns, waitedMs, asks, allowed, denied } = total;
  const costOfTurn = turns > 0 && cost > 0 ? `${formatCost(cost / turns)} a turn` : "";
  const tiles = [
    {
      name: "Cost",
      value: formatCost(cost),
      more: playCost > 0 ? `without ${formatCost(playCost)} of play money` : costOfTurn,
    },
    {
      name: "Tokens",
      value: formatCount(input + output),
      more: `${formatCount(input)} in, ${formatCount(output)} out`,
    },
    { name: "Turns", value: formatCount(turns), more: `${formatCount(total.tools)} tools used` },
    {
      name: "Agents at work",
      value: formatDuration(workedMs(total)),
      more: waitedMs > 0 ? `waited ${formatDuration(waitedMs)} for you` : "",
    },
    {
      name: "Asks",
      value: formatCount(asks),
      more: asks > 0 ? `${formatCount(allowed)} allowed, ${formatCount(denied)} denied` : "",
    },
  ];
  return (
    <dl className="grid grid-cols-2 gap-x-4 gap-y-5 sm:grid-cols-3 lg:grid-cols-5">
      {tiles.map(({ name, value, more }) => (
        <div key={name}>
          <dt className="text-muted-foreground text-xs">{name}</dt>
          <dd className="mt-0.5 font-semibold text-xl tabular-nums tracking-[-0.01em]">{value}</dd>
          <dd className="min-h-4 text-2xs text-muted-foreground">{more}</dd>
        </div>
      ))}
    </dl>
  );
}
