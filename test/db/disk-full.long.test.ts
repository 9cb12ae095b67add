import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { operatorOf } from '../cli/support.ts';
import { temporaryFolder } from '../support/database.ts';
import { api, ORDER } from '../support/harness.ts';
import { freePort, ready, run } from '../support/process.ts';

const FILE_BYTES_MAX = 1024 * 1024;

/** A limit on what a process may write to one file, which can be lifted from outside, is Linux' own. */
const mayLimit = canLimit();

function canLimit(): boolean {
  try {
    execFileSync('prlimit', [`--pid=${process.pid}`, '--fsize'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

test.runIf(mayLimit)(
  'a process whose log file cannot grow answers 500, stays up, works again when it can, and has all that it acknowledged after a kill',
  async () => {
    const folder = temporaryFolder();
    const [port, sandboxPort] = [await freePort(), await freePort()];
    const url = `http://127.0.0.1:${port}`;
    const env = {
      SERVICE_DATABASE_URL: `sqlite:${join(folder, 'service.db')}`,
      SERVICE_PORT: String(port),
      SERVICE_SANDBOX_PORT: String(sandboxPort),
      SERVICE_POST_RATE_LIMIT: '0',
    };
    const operator = operatorOf(folder);
    const { apiKey } = await operator.json(['merchant', 'create', '--name', 'Shop', '--domain', 'shop.pt']);
    const merchant = api(url, apiKey);
    const service = run('src/main.ts', [], env, {
      wrapper: ['prlimit', `--fsize=${FILE_BYTES_MAX}:unlimited`],
    });
    await ready(service, url);
    const acknowledged: string[] = [];
    let refused = 0;
    const init = async () => {
      const answer = await merchant.post('/payments/init', ORDER);
      if (answer.status === 200) acknowledged.push(answer.body.transactionId);
      else {
        expect([answer.status, answer.body.code]).toEqual([500, 'INTERNAL_ERROR']);
        refused++;
      }
    };
    while (refused < 20) await Promise.all(Array.from({ length: 10 }, init));
    expect(acknowledged.length).toBeGreaterThan(0);
    expect((await merchant.get(`/payments/status?transactionId=${acknowledged[0]}`)).status).toBe(200);
    expect(service.child.exitCode).toBeNull();

    execFileSync('prlimit', [`--pid=${service.child.pid}`, '--fsize=unlimited:unlimited']);
    const before = { refused, acknowledged: acknowledged.length };
    await Promise.all(Array.from({ length: 20 }, init));
    expect(refused).toBe(before.refused);
    expect(acknowledged).toHaveLength(before.acknowledged + 20);

    service.kill('SIGKILL');
    await service.ended;
    const again = run('src/main.ts', [], env);
    await ready(again, url);
    for (const id of acknowledged)
      expect((await merchant.get(`/payments/status?transactionId=${id}`)).status).toBe(200);
  },
);
