import { connect, createServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { onTestFinished } from 'vitest';
import { listen } from './listen.ts';
import { makeCertificate } from './open-receiver.ts';

/**
 * Starts a way to a PostgreSQL server over TLS. When armed, it replaces the answer to the next query that contains a text, by default
 * by bytes that are no TLS.
 */
export async function startTlsProxy(target: number) {
  let armed: string | null = null;
  let instead: Buffer | null = null;
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
      if (instead !== null) return void inside.end(instead);
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
    arm(query = 'commit', answer: Buffer | null = null) {
      armed = query;
      instead = answer;
    },
  };
}

/** An error by which a server or a pooler ends a connection. */
export function fatalError(code: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0Mthe server connection was lost\0\0`);
  const length = Buffer.alloc(4);
  length.writeInt32BE(length.length + fields.length);
  return Buffer.concat([Buffer.from('E'), length, fields]);
}
