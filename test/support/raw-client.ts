import { connect, type Socket } from 'node:net';

/** One answer as its bytes came over the wire. */
export interface RawAnswer {
  status: number;
  /** Status line and headers, without the blank line. */
  head: string;
  /** By lower-case name; a repeated header joined by a comma. */
  headers: Map<string, string>;
  body: Buffer;
}

export interface RawRequest {
  bytes: Buffer;
  /** An answer to HEAD announces a length and has no body. */
  toHead?: boolean;
  /** Closes the client's side after the bytes, for an incomplete request. */
  halfClose?: boolean;
}

const ANSWER_TIMEOUT_MS = 20_000;

/** A client that sends bytes unchanged, one request at a time, over a kept connection. */
export class RawClient {
  readonly #port: number;
  #socket: Socket | null = null;

  constructor(port: number) {
    this.#port = port;
  }

  /** Resolves to the final answer, without 1xx; rejects when the connection ends before it is complete. */
  async send(request: RawRequest): Promise<RawAnswer> {
    const socket = await this.#connected();
    const answer = await exchange(socket, request);
    if (request.halfClose || /close/i.test(answer.headers.get('connection') ?? '')) this.close();
    return answer;
  }

  /** Closes the connection; the next request opens another. */
  close(): void {
    this.#socket?.destroy();
    this.#socket = null;
  }

  async #connected(): Promise<Socket> {
    const kept = this.#socket;
    if (kept?.writable && kept.readable) return kept;
    const socket = connect({ port: this.#port, host: '127.0.0.1', noDelay: true });
    await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
    socket.on('error', () => socket.destroy());
    this.#socket = socket;
    return socket;
  }
}

function exchange(
  socket: Socket,
  { bytes, toHead = false, halfClose = false }: RawRequest,
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0);
    const finish = (outcome: () => void) => {
      clearTimeout(timer);
      socket.off('data', onData).off('close', onClose).off('end', onClose);
      outcome();
    };
    const onData = (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      const answer = readAnswer(received, toHead);
      if (answer !== null) finish(() => resolve(answer));
    };
    const onClose = () => finish(() => reject(new Error(`the connection ended after ${shown(received)}`)));
    const timer = setTimeout(
      () =>
        finish(() => reject(new Error(`no answer within ${ANSWER_TIMEOUT_MS} ms after ${shown(received)}`))),
      ANSWER_TIMEOUT_MS,
    );
    socket.on('data', onData).on('close', onClose).on('end', onClose);
    if (halfClose) socket.end(bytes);
    else socket.write(bytes);
  });
}

function shown(received: Buffer): string {
  return JSON.stringify(received.toString('latin1', 0, 200));
}

/** The first final answer in these bytes, or null while it is incomplete. */
function readAnswer(received: Buffer, toHead: boolean): RawAnswer | null {
  let start = 0;
  for (;;) {
    const end = received.indexOf('\r\n\r\n', start);
    if (end === -1) return null;
    const head = received.toString('latin1', start, end);
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(`${head.split('\r\n')[0]} `)?.[1]);
    start = end + 4;
    if (status >= 100 && status < 200) continue;
    const headers = readHeaders(head);
    const body = toHead ? Buffer.alloc(0) : readBody(received.subarray(start), headers);
    return body === null ? null : { status, head, headers, body };
  }
}

function readHeaders(head: string): Map<string, string> {
  const headers = new Map<string, string>();
  for (const line of head.split('\r\n').slice(1)) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    const before = headers.get(name);
    headers.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return headers;
}

function readBody(rest: Buffer, headers: Map<string, string>): Buffer | null {
  if (headers.get('transfer-encoding') === 'chunked') return readChunks(rest);
  const length = Number(headers.get('content-length') ?? 0);
  return rest.length < length ? null : rest.subarray(0, length);
}

function readChunks(rest: Buffer): Buffer | null {
  const chunks: Buffer[] = [];
  let at = 0;
  for (;;) {
    const line = rest.indexOf('\r\n', at);
    if (line === -1) return null;
    const size = Number.parseInt(rest.toString('latin1', at, line), 16);
    at = line + 2;
    if (rest.length < at + size + 2) return null;
    if (size === 0) return Buffer.concat(chunks);
    chunks.push(rest.subarray(at, at + size));
    at += size + 2;
  }
}
