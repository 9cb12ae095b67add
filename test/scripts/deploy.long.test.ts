import { execFile, execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { createMetrics } from '../../src/http/metrics.ts';
import { temporaryFolder } from '../support/database.ts';
import { api, startService, startWithMerchant } from '../support/harness.ts';
import { makeCertificate } from '../support/open-receiver.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');
const DEPLOY = join(ROOT, 'scripts/deploy');
const text = (name: string) => readFileSync(join(DEPLOY, name), 'utf8');

function has(program: string, ...args: string[]): boolean {
  try {
    if (args.length > 0) execFileSync(program, args, { stdio: 'ignore' });
    else execFileSync('which', [program], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** A signed release of a program that prints v99.0.0, in the layout of nodejs.org. */
async function makeRelease(): Promise<{ folder: string; archive: string; sums: string }> {
  const folder = temporaryFolder();
  const home = join(folder, 'gpg');
  mkdirSync(home, { mode: 0o700 });
  const gpg = (...args: string[]) => run('gpg', ['--homedir', home, '--batch', '--quiet', ...args]);
  await gpg('--passphrase', '', '--quick-generate-key', 'releases@node.example', 'ed25519', 'sign');
  await gpg('--export', '--output', join(folder, 'pubring.kbx'));
  const machine = process.arch === 'arm64' ? 'arm64' : 'x64';
  const name = `node-v99.0.0-linux-${machine}`;
  const program = join(folder, name, 'bin/node');
  mkdirSync(join(program, '..'), { recursive: true });
  writeFileSync(program, '#!/bin/sh\necho v99.0.0\n');
  chmodSync(program, 0o755);
  const published = join(folder, 'v99.0.0');
  mkdirSync(published);
  const archive = join(published, `${name}.tar.xz`);
  await run('tar', ['-cJf', archive, '-C', folder, name]);
  const sums = join(published, 'SHASUMS256.txt');
  writeFileSync(sums, (await run('sha256sum', [`${name}.tar.xz`], { cwd: published })).stdout);
  await gpg('--clearsign', sums);
  return { folder, archive, sums: `${sums}.asc` };
}

describe('the files that an operator copies', () => {
  test.skipIf(!has('nginx'))('nginx takes its file (skipped where nginx is not installed)', async () => {
    const folder = temporaryFolder();
    const { key, cert } = await makeCertificate();
    writeFileSync(join(folder, 'key.pem'), key);
    writeFileSync(join(folder, 'cert.pem'), cert);
    const site = text('nginx.conf')
      .replace(/\/etc\/letsencrypt\S+fullchain\.pem/, join(folder, 'cert.pem'))
      .replace(/\/etc\/letsencrypt\S+privkey\.pem/, join(folder, 'key.pem'))
      .replaceAll('/var/log/nginx', folder);
    writeFileSync(join(folder, 'site.conf'), site);
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
    const temporary = paths.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ');
    const main = `pid ${folder}/pid; error_log ${folder}/e.log; events {} http { ${temporary} include ${folder}/site.conf; }`;
    writeFileSync(join(folder, 'main.conf'), main);
    const { stderr } = await run('nginx', ['-t', '-p', folder, '-c', join(folder, 'main.conf')]);
    expect(stderr).toContain('test is successful');
  });

  test.skipIf(!has('caddy'))('Caddy takes its file (skipped where Caddy is not installed)', async () => {
    const file = join(DEPLOY, 'Caddyfile');
    const env = { ...process.env, HOME: temporaryFolder() };
    await run('caddy', ['validate', '--adapter', 'caddyfile', '--config', file], { env });
  });

  test.skipIf(!has('systemd-analyze'))(
    'systemd takes the units (skipped where systemd is not installed)',
    async () => {
      const folder = temporaryFolder();
      const names = readdirSync(DEPLOY).filter((name) => /\.(service|timer)$/.test(name));
      const files = names.map((name) => {
        const unit = text(name)
          .replace('/usr/local/bin/node', process.execPath)
          .replace('/opt/payment-collection/scripts/deploy', DEPLOY);
        writeFileSync(join(folder, name), unit);
        return join(folder, name);
      });
      expect(files).toHaveLength(3);
      const { stdout, stderr } = await run('systemd-analyze', ['verify', ...files]);
      expect(stdout + stderr).toBe('');
    },
  );

  test.skipIf(!has('gpg') || !has('gpgv') || !has('xz'))(
    'Node.js is installed only with the signature of its checksums and the right archive',
    async () => {
      const release = await makeRelease();
      const env = {
        ...process.env,
        NODE_DIST_URL: `file://${release.folder}`,
        NODE_KEYRING_URL: `file://${release.folder}/pubring.kbx`,
      };
      const install = (into: string) => run(join(DEPLOY, 'install-node.sh'), ['99.0.0', into], { env });
      const folder = temporaryFolder();
      expect((await install(folder)).stdout).toMatch(/: OK\nv99\.0\.0\n$/);

      const refused = temporaryFolder();
      appendFileSync(release.archive, 'more');
      await expect(install(refused)).rejects.toMatchObject({ stdout: expect.stringContaining('FAILED') });
      writeFileSync(
        release.sums,
        readFileSync(release.sums, 'utf8').replace(/^[0-9a-f]{64}/m, 'f'.repeat(64)),
      );
      await expect(install(refused)).rejects.toMatchObject({
        stderr: expect.stringContaining('BAD signature'),
      });
      expect(readdirSync(refused)).toEqual([]);
    },
  );

  test.skipIf(!has('docker', 'compose', 'version'))(
    'docker compose takes its file (skipped without it)',
    async () => {
      const folder = temporaryFolder();
      for (const name of ['compose.yml', 'service.env.example'])
        cpSync(join(DEPLOY, name), join(folder, name));
      cpSync(join(folder, 'service.env.example'), join(folder, 'service.env'));
      const { stdout } = await run('docker', ['compose', '-f', join(folder, 'compose.yml'), 'config']);
      expect(stdout).toContain('UPSTREAM: payments:8080');
    },
  );

  test('no proxy logs the query of a callback or the token of a payment page, shows the metrics, or holds up a stream', () => {
    const nginx = text('nginx.conf');
    expect(/log_format payments ([^;]+);/.exec(nginx)?.[1]).not.toMatch(
      /\$(request|request_uri|uri|args|query_string|http_referer)\b/,
    );
    expect(nginx).toMatch(/map \$uri \$logged_uri \{\s+~\*\^\/pay\/ \/pay\/;/);
    expect(nginx).toContain(String.raw`"~*^(?<logged_part>.*?)(?:\?|%(?:25)*3f)" $logged_part;`);
    expect(nginx.match(/access_log \S+ (\w+);/g)).toHaveLength(2);
    expect(/location \/callbacks\/ \{(.*?)\}/s.exec(nginx)?.[1]).toContain('error_log /dev/null;');
    expect(/location \/pay\/ \{(.*?)\}/s.exec(nginx)?.[1]).toContain('error_log /dev/null;');
    expect(/location \/metrics \{(.*?)\}/s.exec(nginx)?.[1]).toContain('return 404;');
    expect(/location = \/listen \{(.*?)\}/s.exec(nginx)?.[1]).toContain('proxy_buffering off;');
    const caddy = text('Caddyfile');
    // The error log and the access log.
    const pattern = String.raw`^(/pay/).*|(?:\?|%(?:25)*3f).*|(?:[\w-]|%[\da-f]{2}){22,}`;
    expect(caddy.split(`request>uri regexp "(?i)${pattern}" "$1"`)).toHaveLength(3);
    for (const path of ['/x?KEY', '/x%3FKEY', '/x%253fKEY', '//pay/AbCdEfGhI%6AKlMnOpQrSt-_'])
      expect(path.replace(new RegExp(pattern, 'gi'), '$1')).not.toMatch(/[A-Z]/);
    // A payment page is opened by a redirect.
    expect(caddy).toContain('resp_headers>Location delete');
    expect(caddy).toContain('respond @inside 404');
    expect(caddy).toContain('flush_interval -1');
  });

  test('no proxy redirects to https, or outlasts the idle connections of the service', async () => {
    expect(text('nginx.conf')).toMatch(/listen 80;[^}]*return 404;\n\}/);
    const caddy = text('Caddyfile');
    expect(caddy).toMatch(/^http:\/\/payments\.example \{\n\trespond 404\n\}$/m);
    const kept = [...caddy.matchAll(/^\t\t\tkeepalive (\d+)s$/gm)].map(([, seconds]) => Number(seconds));
    expect(kept).toHaveLength(2);
    const service = await startService();
    const { headers } = await fetch(`${service.url}/healthz`);
    const keptByService = Number(/timeout=(\d+)/.exec(headers.get('keep-alive') ?? '')?.[1]);
    expect(Math.max(...kept)).toBeLessThan(keptByService);
  });

  test('the image has the files of the build machine with readable modes', () => {
    const [, pages = '', , image = ''] = text('Dockerfile')
      .split(/^FROM .*$/m)
      .slice(1);
    expect(pages).toContain('RUN chmod -R go+rX openapi package.json scripts src');
    expect(image.match(/^COPY (?!--from=).*$/gm)).toBeNull();
  });

  test('a service that cannot start is retried for ever, and its proxy keeps its network and bounded logs', () => {
    expect(text('payment-collection.service')).toMatch(/^StartLimitIntervalSec=0$/m);
    expect(text('compose.yml')).not.toMatch(/^\s*network_mode:/m);
    expect(text('compose.yml').match(/^ {4}logging:\n {6}driver: local$/gm)).toHaveLength(2);
    expect(
      text('Caddyfile').match(/reverse_proxy (@stream )?\{\$UPSTREAM:127\.0\.0\.1:8080\}/g),
    ).toHaveLength(2);
  });

  test('the service reads every setting that they name', () => {
    const files = ['src/config.ts', 'src/config-addresses.ts', 'src/config-keys.ts'];
    const config = files.map((file) => readFileSync(join(ROOT, file), 'utf8')).join('\n');
    const known = new Set(config.match(/SERVICE_[A-Z_]+/g));
    for (const entry of readdirSync(DEPLOY, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const name = relative(DEPLOY, join(entry.parentPath, entry.name));
      const named = text(name).match(/SERVICE_[A-Z_]+/g) ?? [];
      expect([name, named.filter((one) => !known.has(one))]).toEqual([name, []]);
    }
  });

  test('every metric that an alarm names is there, with the labels that it asks for', async () => {
    const { metrics, text: scraped } = createMetrics({
      queueState: async () => ({ due: 0, oldestDueAgeMs: null }),
      logBytes: () => 0,
    });
    metrics.request('/api/v1/payments/init', 'POST', 500, 0.1);
    for (const outcome of ['unavailable', 'unreachable', 'unknown']) metrics.bankCall('list', outcome, 1);
    metrics.deliveriesUnclaimed(0);
    const seen = await scraped();
    const alarms = text('alarms.yml');
    const names = [...new Set(alarms.match(/\bpcs_\w+/g))];
    expect(names.length).toBeGreaterThan(5);
    for (const name of names)
      expect([name, new RegExp(`^${name}[{ ]`, 'm').test(seen)]).toEqual([name, true]);
    for (const [, name, label, values = ''] of alarms.matchAll(/(pcs_\w+)\{(\w+)=~?"([^"]+)"\}/g)) {
      for (const value of values.split('|')) {
        expect([name, value, seen.includes(`${label}="${value}"`)]).toEqual([name, value, true]);
      }
    }
    const outcomes = readFileSync(join(ROOT, 'src/deps.ts'), 'utf8');
    for (const outcome of ['unavailable', 'unreachable', 'unknown'])
      expect(outcomes).toContain(`\`${outcome}\``);
  });
});

describe('backup and restore', () => {
  test('a backup taken while payments run can be restored with its payment', {
    timeout: 60_000,
  }, async () => {
    const folder = temporaryFolder();
    const copies = join(temporaryFolder(), 'copies');
    const { service, merchant: shop } = await startWithMerchant({ folder });
    const tx = await shop.pay();
    const key = readFileSync(join(folder, 'secret.key'), 'utf8');
    const env = {
      ...process.env,
      SERVICE_DATABASE_URL: `sqlite:${join(folder, 'service.db')}`,
      SERVICE_SECRET_KEY: key,
      SERVICE_BANK: 'sandbox',
    };
    let running = true;
    const load = (async () => {
      while (running) await shop.init();
    })();

    mkdirSync(copies);
    for (const day of ['1', '2', '3']) writeFileSync(join(copies, `service-2020010${day}T000000Z.db`), 'old');
    const interrupted = join(copies, 'service-20200104T000000Z.db.partial');
    writeFileSync(interrupted, 'interrupted');
    utimesSync(interrupted, 0, 0);
    const other = 'service-20200105T000000Z.db.partial';
    writeFileSync(join(copies, other), 'another backup writes it now');
    const { stdout } = await run(join(DEPLOY, 'backup.sh'), [copies, '2'], { env });
    running = false;
    await load;
    const { file } = JSON.parse(stdout);
    const kept = readdirSync(copies).sort();
    expect(kept).toHaveLength(3);
    expect(kept.slice(0, 2)).toEqual(['service-20200103T000000Z.db', other]);
    expect(file).toBe(join(copies, kept[2] ?? 'none'));

    const drill = await run(join(DEPLOY, 'restore-drill.sh'), [file, tx], { env });
    expect(JSON.parse(drill.stdout).transaction).toMatchObject({ transactionId: tx, status: 'paid' });
    // A backup of another bank than the default would fail later with an unrelated error.
    const unset = run(join(DEPLOY, 'restore-drill.sh'), [file], { env: { ...env, SERVICE_BANK: '' } });
    await expect(unset).rejects.toMatchObject({ stderr: expect.stringContaining('SERVICE_BANK') });
    const wrong = run(join(DEPLOY, 'restore-drill.sh'), [file, tx], {
      env: { ...env, SERVICE_SECRET_KEY: Buffer.alloc(32, 1).toString('base64') },
    });
    await expect(wrong).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^SERVICE_SECRET_KEY does not open this database/),
    });

    await service.app.close();
    const elsewhere = temporaryFolder();
    cpSync(file, join(elsewhere, 'service.db'));
    const restored = await startService({ folder: elsewhere, env: { SERVICE_SECRET_KEY: key } });
    const again = api(restored.url, shop.apiKey);
    expect(await again.status(tx)).toMatchObject({ status: 'paid', transactionId: tx });
    expect(await again.init()).toMatch(/^tx_/);
  });

  test('a backup that fails leaves the old copies alone', async () => {
    const folder = temporaryFolder();
    for (const day of ['1', '2']) writeFileSync(join(folder, `service-2020010${day}T000000Z.db`), 'old');
    const env = { ...process.env, SERVICE_BANK: 'ifthenpay', SERVICE_SECRET_KEY: '' };
    await expect(run(join(DEPLOY, 'backup.sh'), [folder, '1'], { env })).rejects.toMatchObject({ code: 1 });
    expect(readdirSync(folder)).toHaveLength(2);
    await expect(run(join(DEPLOY, 'backup.sh'), [folder, 'all'], { env })).rejects.toMatchObject({
      stderr: 'KEEP must be an integer of at least 1, not all\n',
    });
  });
});
