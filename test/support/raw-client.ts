import { connect, type Socket } from 'node:net';

/** One answer as its bytes came over the wire. */
export interface RawAnswer {
  status: number;
  /** Status line and headers, without the blank line. */
  head: string;
  headers: Headers;
  body: Buffer;
  /** The bytes after it. */
  rest: Buffer;
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
    const sentAt = performance.now();
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
        finish(() => {
          const waitedMs = Math.round(performance.now() - sentAt);
          reject(new Error(`no answer within ${waitedMs} ms after ${shown(received)}`));
        }),
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
export function readAnswer(received: Buffer, toHead: boolean): RawAnswer | null {
  let start = 0;
  for (;;) {
    const end = received.indexOf('\r\n\r\n', start);
    if (end === -1) return null;
    const head = received.toString('latin1', start, end);
    const [first = '', ...lines] = head.split('\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(`${first} `)?.[1]);
    start = end + 4;
    if (status >= 100 && status < 200) continue;
    const headers = new Headers(lines.map((line) => line.split(/:\s*(.*)/s, 2) as [string, string]));
    const rest = received.subarray(start);
    const body = toHead ? { body: Buffer.alloc(0), rest } : readBody(rest, headers);
    return body && { status, head, headers, ...body };
  }
}

type Body = Pick<RawAnswer, 'body' | 'rest'>;

function readBody(rest: Buffer, headers: Headers): Body | null {
  if (headers.get('transfer-encoding') === 'chunked') return readChunks(rest);
  const length = Number(headers.get('content-length') ?? 0);
  return rest.length < length ? null : { body: rest.subarray(0, length), rest: rest.subarray(length) };
}

function readChunks(rest: Buffer): Body | null {
  const chunks: Buffer[] = [];
  let at = 0;
  for (;;) {
    const line = rest.indexOf('\r\n', at);
    if (line === -1) return null;
    const size = Number.parseInt(rest.toString('latin1', at, line), 16);
    at = line + 2;
    if (rest.length < at + size + 2) return null;
    if (size === 0) return { body: Buffer.concat(chunks), rest: rest.subarray(at + 2) };
    chunks.push(rest.subarray(at, at + size));
    at += size + 2;
  }
}
