/** Whether there is a process with this id, or one of the group if the id is negative. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
