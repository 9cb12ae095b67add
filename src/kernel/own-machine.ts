import type { IncomingMessage } from 'node:http';

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;
/** Rejects pages of other hosts whose names resolve to loopback: they send another Host header. */
const LOOPBACK_HOST = /^(localhost|127\.[\d.]+|\[::1\])(:\d+)?$/i;
/** Headers that show a proxy on this machine, behind which every client is a loopback peer. */
const PROXY_HEADERS = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'] as const;

/** Whether a request comes from this machine: from a loopback address, and without a header that shows another origin. */
export function isOwnMachine({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): boolean {
  return (
    LOOPBACK.test(socket.remoteAddress ?? '') &&
    LOOPBACK_HOST.test(headers.host ?? '') &&
    PROXY_HEADERS.every((name) => headers[name] === undefined)
  );
}
