import { expect, onTestFinished, test } from 'vitest';
import { endProgram, startProgram } from '../support/program.ts';
import { startReceiver } from '../support/tls-receiver.ts';

const CLIENTS = {
  bank: `
    import { createBankHttp } from './src/banks/exchange.ts';
    import { systemClock } from './src/kernel/clock.ts';
    const http = createBankHttp(systemClock, 5000);
    const question = { method: 'GET', url: process.env.URL };
    for (const ask of [http.once, http.ask]) console.log(await ask(question).then(() => 'read', (error) => String(error)));
    await http.close();`,
  webhooks: `
    import { systemClock } from './src/kernel/clock.ts';
    import { exchange } from './src/webhooks/transport/exchange.ts';
    import { createTransport } from './src/webhooks/transport/transport.ts';
    const transport = createTransport({ connectionsMax: 1, allowPrivateNetworks: true });
    const request = { url: process.env.URL, headers: {}, body: '{}' };
    const { errorDetail } = await exchange({ clock: systemClock, transport }, 'mer_1', request);
    console.log(errorDetail ?? 'read');
    await transport.destroy();`,
};

test.each(Object.entries(CLIENTS))(
  'NODE_TLS_REJECT_UNAUTHORIZED=0 does not turn off verification: %s',
  async (_name, code) => {
    const receiver = await startReceiver();
    const env = { NODE_TLS_REJECT_UNAUTHORIZED: '0', URL: receiver.url };
    const program = startProgram('--input-type=module', ['-e', code], env);
    onTestFinished(() => endProgram(program));
    expect([await program.ended, program.out()]).toEqual([0, expect.stringContaining('self-signed')]);
    expect(program.out()).not.toContain('read');
    expect(receiver.requests).toEqual([]);
  },
);
