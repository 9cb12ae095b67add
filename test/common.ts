const ROOT = new URL('..', import.meta.url).pathname;

/** The settings of every project. */
export const COMMON = {
  root: ROOT,
  // Modules load once per worker instead of once per file.
  isolate: false,
  // Node loads TypeScript itself, faster than Vite does.
  experimental: { viteModuleRunner: false },
  // A worker loads what an earlier one has compiled.
  env: { NODE_COMPILE_CACHE: `${ROOT}node_modules/.cache/compiled` },
};
