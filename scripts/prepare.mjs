// Runs after an install: builds the pages of the back office. An install without development packages has no Vite and uses
// the pages that came with the files.
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const modules = join(root, 'node_modules');

if (existsSync(join(modules, 'vite/package.json'))) {
  const options = { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' };
  process.exitCode = spawnSync('npm', ['run', '--silent', 'build:web'], options).status ?? 1;
} else {
  // npm installs it for the types of @trpc/server, which Node.js does not read.
  rmSync(join(modules, 'typescript'), { recursive: true, force: true });
  if (!existsSync(join(root, 'src/backoffice/web/dist/index.html'))) {
    process.stderr.write(
      'The pages of the back office are not built, and this install has no Vite. Run "npm ci" on a build machine and copy its src/backoffice/web/dist here.\n',
    );
  }
}
