import { CODE_TEXTS, REFUSED } from './code-texts.ts';
import { REASON_TEXTS, type Values } from './fault-texts.ts';
import { currentLanguage, type Language } from './i18n.ts';

/** An error as shown to the user. */
export interface Fault {
  readonly message: string;
  /** The specific reason, when the server provides one. */
  readonly reason: string | null;
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

/** Returns the message, reason and request ID of an error thrown by a call. */
export function faultOf(error: unknown): Fault {
  const language = currentLanguage();
  const { code, reason, values, faults, requestId } = dataOf(error);
  const said = error instanceof Error ? error.message : '';
  const message =
    sentenceOf(language, reason)?.(values) ?? CODE_TEXTS[language][code] ?? `${REFUSED[language]}${said}`;
  return {
    message: message || (CODE_TEXTS[language].INTERNAL_ERROR ?? ''),
    reason,
    faults: faults.map((fault) => ({
      ...fault,
      message: sentenceOf(language, fault.reason)?.(fault.values) ?? fault.message,
    })),
    requestId: requestId || null,
  };
}

function sentenceOf(language: Language, reason: string | null): ((values: Values) => string) | undefined {
  const sentences: Readonly<Record<string, (values: Values) => string>> = REASON_TEXTS[language];
  return reason === null ? undefined : sentences[reason];
}

/** Returns whether the server answered with this error code, or with OFFLINE did not respond. */
export function isFault(error: unknown, code: string): boolean {
  return dataOf(error).code === code;
}

/** What the server says about an error. */
interface Data {
  readonly code: string;
  readonly reason: string | null;
  readonly values: Values;
  readonly faults: readonly (FieldFault & { readonly reason: string | null })[];
  readonly requestId: string | null;
}

const OFFLINE: Data = { code: 'OFFLINE', reason: null, values: {}, faults: [], requestId: null };

function dataOf(error: unknown): Data {
  const data = memberOf(error, 'data');
  return typeof memberOf(data, 'code') === 'string' ? { ...OFFLINE, ...(data as Partial<Data>) } : OFFLINE;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
