import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';

const COMPRESSED = /\.(js|css|svg)$/;
const WORTH_IT_BYTES = 1_000;
const ROOT = import.meta.dirname;
const OUT = join(ROOT, 'dist');

/** Writes gzip and Brotli copies of each built file. */
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

/** Imports the style sheet of each Mantine component with the component, instead of the complete sheet. */
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

/** The components behind dialogs, drawers and selects, without the parts that plain fields share with them. */
const OVERLAY_PARTS =
  'Modal|ModalBase|Drawer|Popover|Combobox|Select|ScrollArea|FocusTrap|Transition|Portal|Overlay';
const OVERLAYS = new RegExp(
  [
    `[\\\\/](${OVERLAY_PARTS})[\\\\/](?!utils|get-parsed-combobox-data|ComboboxChevron)`,
    '@floating-ui|react-remove-scroll|use-focus-trap',
    '[\\\\/]ui[\\\\/](dialog|confirm-dialog|link-dialog|remote-select|merchant-picker)\\.',
  ].join('|'),
);

/** The back office; `npm run build:web` writes it to dist/, which the service serves. */
export default defineConfig({
  root: ROOT,
  base: '/backoffice/',
  publicDir: false,
  // The service replaces this placeholder with a new nonce in every response.
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
    // Inlined data: URLs would need a wider CSP.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 900,
    rolldownOptions: {
      // Silences warnings about "use client" directives.
      onLog(level, log, defaultHandler) {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') defaultHandler(level, log);
      },
      output: {
        codeSplitting: {
          groups: [
            // Few files, because each costs the browser time; the first screen of most pages shows no overlay.
            { name: 'start', tags: ['$initial'], priority: 2 },
            { name: 'shared', test: (id) => !OVERLAYS.test(id), minShareCount: 6, priority: 1 },
            { name: 'overlays', test: OVERLAYS, minShareCount: 2 },
          ],
        },
      },
    },
  },
});
