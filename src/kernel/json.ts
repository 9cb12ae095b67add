/** The value of a stored JSON text; null without one. */
export function storedJson<T>(json: string | null): T | null {
  return json === null ? null : (JSON.parse(json) as T);
}
