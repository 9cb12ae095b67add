/** Headers of a web Request, of Node.js, or of anything that keeps them in an object; the case of the names does not matter. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | { readonly [name: string]: string | readonly string[] | undefined };
