import assert from "node:assert/strict";

/** Asserts that `use` takes less than five times the CPU for one input of size 2000 as for ten of size 200. */
export function assertLinear<Input>(
  inputOf: (size: number) => Input,
  use: (input: Input) => unknown,
) {
  const secondsFor = (input: Input, times: number) => {
    const before = process.cpuUsage();
    for (let time = 0; time < times; time += 1) use(input);
    return process.cpuUsage(before).user / 1e6;
  };
  const [few, many] = [inputOf(200), inputOf(2000)];
  // Some systems count CPU in steps of 10 ms, so several rounds are added up.
  const rounds = Array.from({ length: 10 }, () => [secondsFor(many, 1), secondsFor(few, 10)]);
  const sumOf = (side: 0 | 1) => rounds.reduce((sum, seconds) => sum + seconds[side]!, 0);
  const ratio = sumOf(0) / sumOf(1);
  assert.ok(ratio < 5, `ten times as much takes ${10 * ratio} times the CPU`);
}
