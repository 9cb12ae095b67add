import { CODE_TEXTS, PLAIN_TEXTS, REASON_TEXTS, type Values } from './fault-texts.ts';
import { currentLanguage, type Language } from './i18n.ts';

/** An error as shown to the user. */
export interface Fault {
  readonly message: string;
  /** The server's error code, or OFFLINE when it did not respond. */
  readonly code: string;
  /** The specific reason, when the server provides one. */
  readonly reason: string | null;
  readonly values: Values;
  /** The invalid input members, as dotted paths. */
  readonly fields: readonly string[];
  /** The faults of a form's fields, each with its own message. */
  readonly faults: readonly FieldFault[];
  readonly requestId: string | null;
}

export interface FieldFault {
  readonly field: string;
  readonly message: string;
  readonly values: Values;
}

/** Thrown when the user cancelled the call; not an error. */
export class GaveUp extends Error {
  override readonly name = 'GaveUp';
}

/** Returns whether the user cancelled the call; a tRPC client wraps the GaveUp. */
export function isGivenUp(error: unknown): boolean {
  return error instanceof GaveUp || memberOf(error, 'cause') instanceof GaveUp;
}

/** Returns the message, code and request ID of an error thrown by a call. */
export function faultOf(error: unknown, language: Language = currentLanguage()): Fault {
  const plain = PLAIN_TEXTS[language];
  const data = dataOf(error);
  if (data === null) return { ...NOTHING, message: plain.offline, code: 'OFFLINE' };
  const { code, reason, values, fields, requestId } = data;
  const faults = data.faults.map((fault) => ({
    ...fault,
    message: sentenceOf(language, fault.reason)?.(fault.values) ?? fault.message,
  }));
  const said = error instanceof Error ? error.message : '';
  const message =
    sentenceOf(language, reason)?.(values) ??
    CODE_TEXTS[language][code] ??
    (language === 'pt' ? `${plain.refused}${said}` : said);
  return {
    message: message === '' ? plain.unknown : message,
    code,
    reason,
    values,
    fields,
    faults,
    requestId,
  };
}

const NOTHING = { reason: null, values: {}, fields: [], faults: [], requestId: null };

function sentenceOf(language: Language, reason: string | null): ((values: Values) => string) | undefined {
  const sentences: Readonly<Record<string, (values: Values) => string>> = REASON_TEXTS[language];
  return reason === null ? undefined : sentences[reason];
}

/** Returns whether the server answered with this error code. */
export function isFault(error: unknown, code: string): boolean {
  return (dataOf(error)?.code ?? 'OFFLINE') === code;
}

interface Data extends Omit<Fault, 'message' | 'faults'> {
  readonly faults: readonly (FieldFault & { readonly reason: string | null })[];
}

function dataOf(error: unknown): Data | null {
  const data = memberOf(error, 'data');
  const code = memberOf(data, 'code');
  if (typeof code !== 'string') return null;
  const reason = memberOf(data, 'reason');
  const fields = memberOf(data, 'fields');
  const faults = memberOf(data, 'faults');
  const requestId = memberOf(data, 'requestId');
  return {
    code,
    reason: typeof reason === 'string' ? reason : null,
    values: (memberOf(data, 'values') ?? {}) as Values,
    fields: Array.isArray(fields) ? fields.map(String) : [],
    faults: Array.isArray(faults) ? faults : [],
    requestId: typeof requestId === 'string' && requestId !== '' ? requestId : null,
  };
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
