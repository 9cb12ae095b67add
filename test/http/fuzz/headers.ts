import fc from 'fast-check';

/** Values that are unusual in every header. */
const VALUES = [
  ...['', ' ', '\t', ',', ';', '0', '-1', 'null', '*', '%00', '%zz', '<b>', '"', '\\', '{}', '[]'],
  ...['x'.repeat(300), 'é', '\x80\xff', 'a\tb', 'https://shop.pt', 'null://', '__proto__', '#{jndi:x}'],
];

/** Values of each header, valid and not, separated by bars. */
const HEADERS: [name: string, values: string][] = [
  ['Content-Type', 'text/plain|application/json;charset=utf-16|APPLICATION/JSON|application/json,'],
  ['Content-Type', 'application/json; charset="|application/json-patch+json|multipart/form-data; boundary=x'],
  ['Content-Encoding', 'gzip|identity|IDENTITY|br|deflate, gzip'],
  [
    'Authorization',
    `Bearer|Bearer |bearer x|Basic eDp4|Bearer a b|Bearer sk_\xe9|Bearer ${'k'.repeat(9000)}`,
  ],
  ['Idempotency-Key', `key-1|key-2|key-3|${'k'.repeat(255)}|${'k'.repeat(256)}|a\x7fb|\xe7\xe3o`],
  [
    'Origin',
    'null|https://shop.pt|https://evil.pt|https://shop.pt.evil.pt|file://|https://[::1|https://a https://b',
  ],
  ['Referer', 'https://shop.pt/a?b#c|https://evil.pt/shop.pt|about:blank|https://%41|ht!tp://x'],
  ['X-Forwarded-For', '1.2.3.4|1.2.3.4, 5.6.7.8|999.1.1.1|::1|[2001:db8::1]:80|1.2.3.4:99|unknown|,,,'],
  ['Forwarded', 'for=1.2.3.4;proto=http|for="[::1]"'],
  ['X-Request-Id', `mine-1|${'x'.repeat(128)}|${'x'.repeat(129)}|a b|a/b|`],
  ['Host', 'x|localhost:99999|[::1|a b|shop.pt@evil|a,b'],
  ['Connection', 'close|keep-alive|upgrade|close, x-request-id'],
  ['Expect', '100-continue|200-ok'],
  ['Upgrade', 'websocket|h2c'],
  ['Accept', 'text/html|application/jsonl|application/json;q=0'],
  ['trpc-accept', 'application/jsonl|text/event-stream'],
  ['Accept-Version', '1.x|999'],
  ['Range', 'bytes=0-1|bytes=9999-'],
  ['If-None-Match', '*|W/"x"'],
  ['X-HTTP-Method-Override', 'GET|DELETE'],
  ['Cookie', 'a=b|__proto__=1'],
  ['__proto__', 'x'],
  ['constructor', 'x'],
];

/** One header, with a value for this header or a value that is unusual in every header. */
export const headers: fc.Arbitrary<[string, string]> = fc
  .constantFrom(...HEADERS)
  .chain(([name, values]) =>
    fc.tuple(fc.constant(name), fc.oneof(fc.constantFrom(...values.split('|')), fc.constantFrom(...VALUES))),
  );
