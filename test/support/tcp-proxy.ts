import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A TCP proxy on a loopback port, like the network between a service and its database server. */
export interface TcpProxy {
  port: number;
  /** Forwards new connections to this port, and closes the others. */
  point(port: number): void;
  /** Forwards nothing more. Connections stay open, and new ones are accepted. */
  freeze(): void;
  /** Forwards nothing more on the open connections, which stay open. New ones work. */
  freezeOpen(): void;
  /** Forwards again, including the bytes held back. */
  thaw(): void;
  /** Closes all connections towards the clients and none towards the server, as if the clients had vanished. */
  abandon(): void;
}

export async function startTcpProxy(target: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const clients = new Set<Socket>();
  let port = target;
  let isFrozen = false;
  const add = (socket: Socket, other: () => Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (bytes) => other().write(bytes));
    socket.on('close', () => {
      sockets.delete(socket);
      other().destroy();
    });
    if (isFrozen) socket.pause();
  };
  const server = createServer((inside) => {
    const outside = connect({ port, host: '127.0.0.1', noDelay: true });
    inside.setNoDelay(true);
    clients.add(inside);
    add(inside, () => outside);
    add(outside, () => inside);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const close = () => {
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(() => {
    close();
    server.close();
  });
  return {
    port: (server.address() as { port: number }).port,
    point(next) {
      port = next;
      close();
    },
    freeze() {
      isFrozen = true;
      for (const socket of sockets) socket.pause();
    },
    freezeOpen() {
      for (const socket of sockets) socket.pause();
    },
    thaw() {
      isFrozen = false;
      for (const socket of sockets) socket.resume();
    },
    abandon() {
      for (const socket of clients) socket.removeAllListeners('close').destroy();
      clients.clear();
    },
  };
}
