import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';

const COMPRESSED = /\.(js|css|svg)$/;
const WORTH_IT_BYTES = 1_000;
const ROOT = import.meta.dirname;
const OUT = join(ROOT, 'dist');

/** Writes each file of the build a second and a third time, compressed, so that the server need not. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    closeBundle() {
      for (const file of readdirSync(OUT, { recursive: true, encoding: 'utf8' })) {
        const path = join(OUT, file);
        if (!COMPRESSED.test(file) || statSync(path).size < WORTH_IT_BYTES) continue;
        const bytes = readFileSync(path);
        const hint = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
        writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params: hint }));
        writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
      }
    },
  };
}

const COMPONENT_CLASSES = /[\\/]@mantine[\\/]core[\\/]esm[\\/].*[\\/](\w+)\.module\.mjs$/;

/**
 * Brings the style of a component along with the component: its sheet alone, and only to pages that use it, where the
 * library's own sheet has all of them (37 kB compressed).
 */
function stylesOfComponents(): Plugin {
  return {
    name: 'styles-of-components',
    transform(code, id) {
      const name = COMPONENT_CLASSES.exec(id)?.[1];
      return name === undefined
        ? null
        : { code: `import '@mantine/core/styles/${name}.css';\n${code}`, map: null };
    },
  };
}

/** The pages of the back office: `npm run build:web` writes them to dist/, from where the service shows them. */
export default defineConfig({
  root: ROOT,
  base: '/backoffice/',
  publicDir: false,
  // The service puts a fresh word in its place with every page; style and script carry it, or do not run.
  html: { cspNonce: '__NONCE__' },
  plugins: [stylesOfComponents(), compressed()],
  logLevel: 'warn',
  build: {
    outDir: OUT,
    emptyOutDir: true,
    manifest: 'manifest.json',
    sourcemap: false,
    target: 'es2022',
    modulePreload: { polyfill: false },
    // A picture inlined as a data: address would need a wider policy.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 900,
    rolldownOptions: {
      // Directives for frameworks that render on a server; there is none.
      onLog(level, log, defaultHandler) {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') defaultHandler(level, log);
      },
      output: {
        codeSplitting: {
          groups: [
            { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/, priority: 2 },
            { name: 'data', test: /node_modules[\\/](@tanstack|@trpc|wouter|regexparam)[\\/]/, priority: 1 },
          ],
        },
      },
    },
  },
});
