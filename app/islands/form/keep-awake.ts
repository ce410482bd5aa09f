/** Keeps the screen awake, where the browser offers it, until the returned function is called. */
export function keepAwake(): () => void {
  const ended = new AbortController();
  let lock: WakeLockSentinel | undefined;
  const request = async () => {
    // The browser gives no lock to a hidden page: request it when the page is visible again.
    if (document.visibilityState !== "visible") return;
    lock = await navigator.wakeLock?.request("screen").catch(() => undefined);
    if (ended.signal.aborted) void lock?.release();
  };
  void request();
  document.addEventListener("visibilitychange", request, { signal: ended.signal });
  return () => {
    ended.abort();
    void lock?.release();
  };
}
