/**
 * Returns the platform's Web Crypto. Node.js 18 has it only in a module, which is imported through a variable, so that bundlers
 * for other runtimes ignore it.
 */
export async function webCrypto(): Promise<typeof globalThis.crypto> {
  if (globalThis.crypto !== undefined) return globalThis.crypto;
  const name = 'node:crypto';
  const module: { webcrypto: typeof globalThis.crypto } = await import(
    /* @vite-ignore */ /* webpackIgnore: true */ name
  );
  return module.webcrypto;
}
