/** Without a click or a key for this long, calls are those of the page and not of a person. */
const ACTIVE_MS = 60_000;
const EVENTS = ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const;

/** Loading the page counts. */
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
