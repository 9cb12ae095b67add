import { request } from 'node:http';
import { expect, test } from 'vitest';
import { call, jsonPost, startService } from '../support/harness.ts';
import { BO_KEY, MBWAY_KEY, sandbox } from './support.ts';

test('the sandbox answers only its own hosts', async () => {
  const bank = await sandbox();
  const { port } = new URL(bank.url);
  const statusFor = (host: string) =>
    new Promise((resolve, reject) => {
      const options = { host: '127.0.0.1', port, path: '/control/pushes', headers: { host } };
      request(options, (response) => resolve(response.resume().statusCode))
        .on('error', reject)
        .end();
    });
  for (const host of ['localhost', `127.0.0.1:${port}`, '[::1]:8081', 'sandbox.example']) {
    expect([host, await statusFor(host)]).toEqual([host, 200]);
  }
  for (const host of ['attacker.example', 'localhost.attacker.example', '127.0.0.1.attacker.example:8081']) {
    expect([host, await statusFor(host)]).toEqual([host, 403]);
  }
});

test('the sandbox of a service calls back the service alone', async () => {
  const { sandboxUrl } = await startService({ env: { SERVICE_PUBLIC_URL: 'https://pay.example/sub' } });
  const activate = async (urlCb: string) => {
    const wanted = { chave: BO_KEY, entidade: 'MBWAY', subentidade: MBWAY_KEY, apKey: 'x', urlCb };
    const { body } = await call(`${sandboxUrl}/api/endpoint/callback/activation`, jsonPost(wanted));
    return String(body).slice(0, 3);
  };
  const path = '/callbacks/ifthenpay?key=[ANTI_PHISHING_KEY]';
  expect(await activate(`https://pay.example/sub${path}`)).toBe('OK:');
  expect(await activate(`http://127.0.0.1:18080${path}`)).toBe('OK:');
  for (const other of [
    `https://attacker.example${path}`,
    `https://pay.example${path}`,
    'http://127.0.0.1:18080/control/faults',
    `http://127.0.0.1.attacker.example${path}`,
    `http://localhost@attacker.example${path}`,
    `http://169.254.169.254${path}`,
  ]) {
    expect([other, await activate(other)]).toEqual([other, 'ERR']);
  }
});
