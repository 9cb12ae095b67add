import { type BackofficeError, refused } from '../errors.ts';
import { COMMON_PASSWORDS, COMMON_RUNS } from './common-passwords.ts';

const LENGTH_MIN = 12;
const LENGTH_MAX = 200;
/** Characters that a password needs besides the person's e-mail. */
const REST_MIN = 8;
const LOCAL_PART_MIN = 4;
const RUN_MIN = 4;
/** A repetition of a text up to this length is refused. */
const REPEATED_MAX = 4;

/** Throws on a password that is easy to guess. Length counts; there is no rule about kinds of characters. */
export function checkPassword(password: string, email: string): void {
  const length = [...password].length;
  if (length < LENGTH_MIN) {
    throw refuse(
      'password_short',
      `The password has ${length} characters and needs at least ${LENGTH_MIN}. Several words are easy to remember.`,
      { length, min: LENGTH_MIN },
    );
  }
  if (length > LENGTH_MAX) {
    throw refuse('password_long', `The password has ${length} characters; the maximum is ${LENGTH_MAX}.`, {
      length,
      max: LENGTH_MAX,
    });
  }
  if (isMadeOfAddress(password.toLowerCase(), email.toLowerCase())) {
    throw refuse('password_address', 'The password is too similar to your email. Choose another.');
  }
  if (isCommon(password)) {
    throw refuse('password_common', 'This password is common and easy to guess. Choose another.');
  }
}

function isMadeOfAddress(password: string, email: string): boolean {
  const [local = ''] = email.split('@');
  const parts = [email, ...(local.length >= LOCAL_PART_MIN ? [local] : [])];
  return parts.some((part) => password.includes(part) && password.replaceAll(part, '').length < REST_MIN);
}

/** Whether a password is common: also repeated, surrounded by digits and signs, or a row of keys. */
export function isCommon(password: string): boolean {
  const text = password.toLowerCase();
  const candidates = [text, text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, ''), text.replace(/[^\p{L}\p{N}]/gu, '')];
  return candidates.some((candidate) => {
    const unit = repeatedUnit(candidate);
    return unit.length <= REPEATED_MAX || COMMON_PASSWORDS.has(unit) || isRuns(candidate);
  });
}

/** The shortest text whose repetition gives `text`. */
function repeatedUnit(text: string): string {
  for (let length = 1; length <= text.length / 2; length++) {
    if (text.length % length === 0 && text === text.slice(0, length).repeat(text.length / length)) {
      return text.slice(0, length);
    }
  }
  return text;
}

/** Whether the text consists of runs such as `qwerty`, `98765` or `abcd`. */
function isRuns(text: string): boolean {
  let rest = text;
  while (rest !== '') {
    const length = runLength(rest);
    if (length < Math.min(RUN_MIN, rest.length)) return false;
    rest = rest.slice(length);
  }
  return true;
}

function runLength(text: string): number {
  let longest = 0;
  for (let length = RUN_MIN; length <= text.length; length++) {
    if (!COMMON_RUNS.some((run) => run.includes(text.slice(0, length)))) break;
    longest = length;
  }
  return longest;
}

function refuse(
  reason: 'password_short' | 'password_long' | 'password_address' | 'password_common',
  sentence: string,
  values: Record<string, number> = {},
): BackofficeError {
  return refused(reason, sentence, { values, fields: ['password'] });
}
