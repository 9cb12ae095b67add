/** One message of a stream of server-sent events. */
export interface SseMessage {
  event: string;
  /** Null when the message carries none. */
  id: string | null;
  data: string;
}

/** What one message may hold at most, in characters; a stream of something else must not fill the memory. */
const MESSAGE_LENGTH_MAX = 4 * 1024 * 1024;

/** Reads messages from the bytes of a stream, however they are cut. Comments and unknown fields are passed over. */
export async function* readSse(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<SseMessage> {
  let message: SseMessage = { event: 'message', id: null, data: '' };
  let told = false;
  for await (const line of linesOf(chunks)) {
    if (line === '') {
      if (told) yield message;
      message = { event: 'message', id: null, data: '' };
      told = false;
      continue;
    }
    const [, name, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (name === 'event') message.event = value;
    else if (name === 'id') message.id = value;
    else if (name === 'data') {
      message.data = told ? `${message.data}\n${value}` : value;
      told = true;
      if (message.data.length > MESSAGE_LENGTH_MAX) throw new Error('a message of the stream is too long');
    }
  }
}

/** Lines end with CR LF, LF or CR; a CR at the end of a chunk is an end whether or not an LF follows. */
async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  let afterCr = false;
  for await (const chunk of chunks) {
    let text = decoder.decode(chunk, { stream: true });
    if (text === '') continue;
    if (afterCr && text.startsWith('\n')) text = text.slice(1);
    afterCr = text.endsWith('\r');
    const lines = (rest + text).split(/\r\n|\n|\r/);
    rest = lines.pop() ?? '';
    if (rest.length > MESSAGE_LENGTH_MAX) throw new Error('a line of the stream is too long');
    yield* lines;
  }
}
