import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { generate } from 'selfsigned';
import { systemNow } from '../system-now.ts';

/**
 * Endpoints over TLS, in a process of their own: `/answer` answers at once and notes when each delivery arrived,
 * `/hang` accepts and never answers. Says its port and certificate when it listens, its notes when asked.
 */
// Issuers are found by name: two certificates that a sender trusts must not share one.
const pems = await generate([{ name: 'commonName', value: `receiver ${process.pid}` }], {
  keyType: 'ec',
  algorithm: 'sha256',
  extensions: [
    { name: 'basicConstraints', cA: true },
    { name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] },
  ],
});
const arrivals: [deliveryId: string, at: number][] = [];
let hanging = 0;

const server = createServer({ key: pems.private, cert: pems.cert }, (request, response) => {
  request.resume();
  request.on('end', () => {
    if (request.url === '/hang') {
      hanging++;
      return;
    }
    arrivals.push([String(request.headers['x-service-delivery-id']), systemNow()]);
    response.end();
  });
});
server.on('tlsClientError', () => {});
server.listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port, ca: pems.cert });
});
process.on('message', () => process.send?.({ arrivals, hanging }));
process.on('disconnect', () => process.exit());
