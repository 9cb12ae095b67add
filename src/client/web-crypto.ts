/**
 * The platform's cryptography. Every runtime has it as a global but Node.js 18, which keeps it in a module; the module is
 * named by a variable, so that a bundler for other runtimes does not look for it.
 */
export async function webCrypto(): Promise<typeof globalThis.crypto> {
  if (globalThis.crypto !== undefined) return globalThis.crypto;
  const name = 'node:crypto';
  const module: { webcrypto: typeof globalThis.crypto } = await import(
    /* @vite-ignore */ /* webpackIgnore: true */ name
  );
  return module.webcrypto;
}
