/** Set by a navigation and read once by the next page, which focuses its heading. */
let arriving = false;

export function announceArrival(): void {
  arriving = true;
}

/** Returns whether the user has just navigated here, and resets the flag. */
export function takeArrival(): boolean {
  const was = arriving;
  arriving = false;
  return was;
}
