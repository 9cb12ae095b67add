// Masks API keys, webhook secrets, Bearer values, bank keys, email addresses and Portuguese mobile numbers in logs.
const MASK = '[masked]';

/** Members whose value is always masked; compared in lower case without `-` and `_`. */
const SECRET_NAMES = new Set([
  ...['authorization', 'cookie', 'setcookie', 'password', 'token', 'metricstoken', 'secret', 'secretkey'],
  ...['apikey', 'webhooksecret', 'key', 'mbwaykey', 'mbkey', 'bokey', 'backofficekey', 'antiphishingkey'],
  ...['apkey', 'apk', 'chave', 'credentials', 'email', 'phone', 'phonenumber', 'mobilenumber'],
  ...['customer', 'customername', 'shippingaddress'],
]);

// A percent escape (`%2B`, `%23`) ends in a letter or a digit but separates words.
const START = String.raw`(?<=^|[^\p{L}\p{N}_]|%[0-9A-Fa-f]{2})`;
const END = String.raw`(?![\p{L}\p{N}_])`;

/** Patterns with their replacements. The quantifiers are bounded, so that a long line takes linear time. */
const RULES: readonly (readonly [RegExp, string])[] = [
  [/\b(bearer)(?:\s|%20|\+)+[^\s"',;]+/giu, `$1 ${MASK}`],
  [/(?:(?<!\p{L})|(?<=%[0-9A-Fa-f]{2}))(sk|whsec)_[A-Za-z0-9+/_=%-]+/gu, `$1_${MASK}`],
  [/(?<=:\/\/)[^\s/@]{1,256}@/gu, `${MASK}@`],
  [
    /(?<=(?<![A-Za-z])(?:key|apk|apkey|chave|mbwaykey|mbkey|bokey|backofficekey|antiphishingkey|password|secret|token)["']?\s{0,3}[=:]\s{0,3})(?:"[^"]*"|'[^']*'|[^\s"'&,;{}[\]]+)/giu,
    MASK,
  ],
  // The bank's method keys (`ABC-123456`) and account keys (`0000-0000-0000-0000`).
  [new RegExp(String.raw`${START}[A-Z]{3}-\d{6}${END}`, 'gu'), MASK],
  [new RegExp(String.raw`${START}\d{4}-\d{4}-\d{4}-\d{4}${END}`, 'gu'), MASK],
  // A top-level domain has a letter: `package@1.2.3` in a stack trace is not an e-mail address.
  [/[^\s@"'<>(),;:/\\=&?]{1,64}(?:@|%40)(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}[\p{L}\p{N}-]{1,62}/gu, MASK],
  // 9XXXXXXXX alone, in groups of three, or after 351 in any spelling; never a decimal fraction.
  [
    new RegExp(
      String.raw`${START}(?<!\d\.)(?:(?:00)?351[\s#.-]{0,3})?9\d{2}[\s.-]?\d{3}[\s.-]?\d{3}(?!\.\d)${END}`,
      'gu',
    ),
    MASK,
  ],
];

/** Replaces every secret and personal item in a text by `[masked]`. */
export function maskText(text: string): string {
  let masked = text;
  for (const [pattern, replacement] of RULES) masked = masked.replace(pattern, replacement);
  return masked;
}

/** Masks a copy of a JSON value: strings by their content, members by their name. */
function maskValue(value: unknown): unknown {
  if (typeof value === 'string') return maskText(value);
  if (Array.isArray(value)) return value.map(maskValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      maskText(name),
      isSecretName(name) && member !== null ? MASK : maskValue(member),
    ]),
  );
}

function isSecretName(name: string): boolean {
  return SECRET_NAMES.has(name.toLowerCase().replace(/[-_]/g, ''));
}

/** Matches every line that may need masking; most lines do not match. The `i` flag would make the search much slower. */
const SUSPECT = new RegExp(
  [
    ...['@', '%40', 'sk_', 'whsec_', String.raw`:\\?/\\?/`],
    ...[String.raw`[A-Z]{3}-\d{6}`, String.raw`\d{4}-\d{4}-`, String.raw`9\d\d[\s.-]?\d{3}[\s.-]?\d{3}`],
    ...['bearer', 'key', 'apk', 'chave', 'authorization', 'cookie', 'password', 'token', 'secret'].map(
      eitherCase,
    ),
    ...['credentials', 'email', 'e-mail', 'phone', 'mobile', 'customer', 'shipping'].map(eitherCase),
  ].join('|'),
);

function eitherCase(word: string): string {
  return word.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}

/** Masks one line of JSON; a line that is not JSON is masked as plain text. */
export function maskLine(line: string): string {
  if (!SUSPECT.test(line)) return line;
  try {
    return `${JSON.stringify(maskValue(JSON.parse(line)))}\n`;
  } catch {
    return maskText(line);
  }
}
