import { Secret, TOTP } from 'otpauth';

const PERIOD_SECONDS = 30;
/** A clock may be off by one step either way. */
const WINDOW_STEPS = 1;
const ISSUER = 'Back office';

/** A new secret of 160 bits, in base 32. */
export function newTotpSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** The address that an authenticator reads from a QR code. */
export function totpUri(secret: string, email: string): string {
  return generator(secret, email).toString();
}

/** The 30 s step whose code this is, around `at` (UTC milliseconds); null when it is the code of none. */
export function stepOfCode(secret: string, code: string, at: number): number | null {
  const token = code.replace(/\s/g, '');
  if (!/^\d{6}$/.test(token)) return null;
  const delta = generator(secret, '').validate({ token, timestamp: at, window: WINDOW_STEPS });
  return delta === null ? null : Math.floor(at / 1000 / PERIOD_SECONDS) + delta;
}

function generator(secret: string, label: string): TOTP {
  return new TOTP({
    issuer: ISSUER,
    label,
    algorithm: 'SHA1',
    digits: 6,
    period: PERIOD_SECONDS,
    secret: Secret.fromBase32(secret),
  });
}
