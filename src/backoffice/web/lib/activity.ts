/** After this long without a click or a key press, calls count as polling by the page and not as the user's. */
const ACTIVE_MS = 60_000;
const EVENTS = ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const;

/** Loading the page counts as activity. */
let lastInputAt = Date.now();
for (const name of EVENTS) {
  window.addEventListener(
    name,
    () => {
      lastInputAt = Date.now();
    },
    { capture: true, passive: true },
  );
}

/** Whether a person has used the page within the last minute. */
export function isInUse(): boolean {
  return Date.now() - lastInputAt < ACTIVE_MS;
}
