import { ServiceError } from '../kernel/errors.ts';

const HEADER = 'Idempotency-Key';
const SENTENCE = `The header ${HEADER} must be 1 to 255 printable ASCII characters.`;
const USABLE = /^[\x20-\x7e]{1,255}$/;

/** Whether the header can be honoured; an absent one can. */
export function isUsableKey(key: string | undefined): boolean {
  return key === undefined || USABLE.test(key);
}

/** The refusal of a header that cannot. */
export function badKey(): ServiceError {
  return new ServiceError('INVALID_FIELDS', SENTENCE, { fields: [HEADER] });
}

/** The same fault together with those of the input; any other refusal goes before it. */
export function withBadKey(error: ServiceError): ServiceError {
  if (error.code !== 'INVALID_FIELDS' || error.fields?.includes(HEADER)) return error;
  return new ServiceError('INVALID_FIELDS', `${error.message} ${SENTENCE}`, {
    fields: [...(error.fields ?? []), HEADER],
  });
}
