/** Loaded before a node: its clock is off by SHIFTED_CLOCK_MS, until SIGUSR2 sets it right. */
const rightTime = Date.now;
let shiftMs = Number(process.env.SHIFTED_CLOCK_MS);

process.on("SIGUSR2", () => {
  shiftMs = 0;
});

Date.now = () => rightTime() + shiftMs;
