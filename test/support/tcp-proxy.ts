import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { listen } from './listen.ts';

/**
 * Starts a TCP proxy on a loopback port, like the network between a service and its database server or its bank. It closes a
 * connection over which the text `cutAt` is sent.
 */
export async function startTcpProxy(target: number, cutAt?: string) {
  const sockets = new Set<Socket>();
  const clients = new Set<Socket>();
  let port = target;
  let isFrozen = false;
  const add = (socket: Socket, other: () => Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      if (cutAt !== undefined && bytes.includes(cutAt)) socket.destroy();
      else other().write(bytes);
    });
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
  const close = () => {
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(() => {
    close();
    server.close();
  });
  return {
    port: await listen(server),
    /** Forwards new connections to this port, and closes the others. */
    point(next: number) {
      port = next;
      close();
    },
    /** Forwards nothing more. Connections stay open, and new ones are accepted. */
    freeze() {
      isFrozen = true;
      for (const socket of sockets) socket.pause();
    },
    /** Forwards nothing more on the open connections, which stay open. New ones work. */
    freezeOpen() {
      for (const socket of sockets) socket.pause();
    },
    /** Forwards again, including the bytes held back. */
    thaw() {
      isFrozen = false;
      for (const socket of sockets) socket.resume();
    },
    /** Closes all connections towards the clients and none towards the server, as if the clients had vanished. */
    abandon() {
      for (const socket of clients) socket.removeAllListeners('close').destroy();
      clients.clear();
    },
  };
}
