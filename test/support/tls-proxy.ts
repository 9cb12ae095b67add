import { connect, createServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { onTestFinished } from 'vitest';
import { listen } from './listen.ts';
import { makeCertificate } from './open-receiver.ts';

/**
 * Starts a way to a PostgreSQL server over TLS. When armed, it replaces the answer to the next query that contains a text by bytes
 * that are no TLS.
 */
export async function startTlsProxy(target: number) {
  let armed: string | null = null;
  const fronts = new Set<Socket>();
  const inner = createTlsServer(await makeCertificate(), (inside) => {
    let isAwaited = false;
    const outside = connect(target, '127.0.0.1').on('error', () => {});
    inside.on('error', () => {}).on('close', () => outside.destroy());
    inside.on('data', (bytes) => {
      isAwaited = armed !== null && bytes.includes(armed);
      outside.write(bytes);
    });
    outside.on('data', (bytes) => {
      if (!isAwaited) return void inside.write(bytes);
      armed = null;
      isAwaited = false;
      for (const front of fronts) front.write('no TLS');
    });
  });
  const innerPort = await listen(inner);
  const server = createServer((front) => {
    fronts.add(front.on('error', () => {}).on('close', () => fronts.delete(front)));
    // The client asks whether the server has TLS.
    front.once('data', () => {
      front.write('S');
      const behind = connect(innerPort, '127.0.0.1').on('error', () => {});
      front.pipe(behind).pipe(front);
    });
  });
  onTestFinished(() => {
    for (const front of fronts) front.destroy();
    server.close();
    inner.close();
  });
  return {
    port: await listen(server),
    arm(query = 'commit') {
      armed = query;
    },
  };
}
