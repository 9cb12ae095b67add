import fc from 'fast-check';

const long = (length: number, unit = 'x') => JSON.stringify(unit.repeat(length));
const nested = (depth: number, open: string, close: string) => open.repeat(depth) + close.repeat(depth);
const words = (list: string) => list.trim().split(/\s+/);

/** JSON values, and texts that are none, without white space. */
const PLAIN_TOKENS = words(String.raw`
  null true false "" [] {} [null] [[]] {"a":{}} [7] "12" "\t\n"
  0 -0 -1 1 0.001 0.01 19.99 19.995 99999.99 100000 1E2 1e-400 1e308 1e999 -1e999
  9007199254740991 9007199254740993 1.7976931348623157e308 123456789012345678901234567890
  0.1000000000000000055511151231257827 2147483648 4294967296
  "\ud800" "\udc00\ud800" "a\u0000b" "\u0000" "\u001f" "\u007f\u0085" "\u202e" "\u{1}" "\ud83e\udde1" "ｅur" "eur"
  "911000005" "912345678" "91234567" "٩١٢٣٤٥٦٧٨" "912345678\n" 912345678 "+351912345678"
  "https://shop.pt" "http://SHOP.PT.:8080/x" "https://evil-shop.pt" "https://shop.pt@evil.pt"
  "https:shop.pt" "javascript:alert(1)" "https://[::1]" "https://%00" "https://xn--" "//shop.pt"
  "ana@shop.pt" "a@b" "\"quoted\"@x.pt" "ção@ção.pt" "=1+1" "#{7*7}" "<script>" "../../etc/passwd" "__proto__"
  NaN Infinity undefined 'x' 01 .5 0x10 " "\x" /**/1 1,
`);

const TOKENS = [
  ...PLAIN_TOKENS,
  ...['" "', '"EUR "', '"\t"', '"\uFEFF"', '"\u00A0"', '"\u2028"', '"\u{1F9E1}"'],
  ...['"a@b.pt\\r\\nBcc: x@y.pt"', '"\'; drop table transactions; --"'],
  ...[255, 256, 500, 501, 20_000].map((length) => long(length)),
  ...[255, 501].map((length) => long(length, '\u{1F9E1}')),
  ...[20, 2000, 30_000].map((depth) => nested(depth, '[', ']')),
  nested(50, '{"a":', '}'),
];

const NAMES = words(`
  __proto__ constructor prototype toString hasOwnProperty valueOf 0 length then
  orderId amount currency customer customerName items storeUrl shippingAddress OrderId
  priceInCents price zip postalCode address_line1 transactionId phoneNumber merchantId json
`);

/** The text of one JSON value, or of what is none. */
export const tokens = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...TOKENS) },
  { weight: 3, arbitrary: fc.json({ maxDepth: 4 }) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }).map((text) => JSON.stringify(text)) },
  { weight: 2, arbitrary: fc.double().map(String) },
  { weight: 1, arbitrary: fc.bigInt().map(String) },
);

/** Names of members: those of the contract, and names that reach a prototype when copied carelessly. */
export const names = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('', ' ', ...NAMES) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 10 }) },
);
