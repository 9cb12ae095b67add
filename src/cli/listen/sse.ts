/** One server-sent event. */
export interface SseMessage {
  event: string;
  id: string | null;
  data: string;
}

const MESSAGE_LENGTH_MAX = 4 * 1024 * 1024;

/** Parses a stream of server-sent events. Comments and unknown fields are ignored. */
export async function* readSse(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<SseMessage> {
  const decoder = new TextDecoder();
  let buffer = '';
  for await (const chunk of chunks) {
    buffer += decoder.decode(chunk, { stream: true });
    const blocks = buffer.split(/\r?\n\r?\n/);
    buffer = blocks.pop() ?? '';
    if (buffer.length > MESSAGE_LENGTH_MAX) throw new Error('a message of the stream is too long');
    for (const block of blocks) {
      const message = messageIn(block);
      if (message !== null) yield message;
    }
  }
}

/** Null without data. */
function messageIn(block: string): SseMessage | null {
  const data: string[] = [];
  let event = 'message';
  let id: string | null = null;
  for (const line of block.split(/\r?\n/)) {
    const [, name, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (name === 'event') event = value;
    if (name === 'id') id = value;
    if (name === 'data') data.push(value);
  }
  return data.length === 0 ? null : { event, id, data: data.join('\n') };
}
