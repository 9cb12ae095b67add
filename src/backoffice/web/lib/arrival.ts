/** Set by a change of page, taken by the page that comes up: it moves the focus to its heading, once. */
let arriving = false;

export function announceArrival(): void {
  arriving = true;
}

/** Whether the person has just come from another page; asking ends it. */
export function takeArrival(): boolean {
  const was = arriving;
  arriving = false;
  return was;
}
