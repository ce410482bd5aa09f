import assert from "node:assert/strict";

/** Asserts that ten times as much takes less than thirty times the CPU. */
export function assertLinear<Input>(
  inputOf: (size: number) => Input,
  use: (input: Input) => unknown,
) {
  const minSecondsFor = (input: Input) => {
    const seconds = Array.from({ length: 3 }, () => {
      const before = process.cpuUsage();
      use(input);
      return process.cpuUsage(before).user / 1e6;
    });
    return Math.min(...seconds);
  };
  const [few, many] = [inputOf(200), inputOf(2000)];
  use(few);
  const ratio = minSecondsFor(many) / minSecondsFor(few);
  assert.ok(ratio < 30, `ten times as much takes ${ratio} times the CPU`);
}
