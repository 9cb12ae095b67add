import { ExceptionRefused, ReceiptMissing } from '../../payments/exceptions/exception.ts';
import { BackofficeError, notFound } from '../errors.ts';

/** What a refused act about money says to whoever asked for it, in words that the pages translate. */
function refusalOf(error: unknown): unknown {
  if (error instanceof ReceiptMissing) return notFound();
  if (!(error instanceof ExceptionRefused)) return error;
  const { fault, values, message } = error;
  return new BackofficeError('BAD_REQUEST', `${message}.`, {
    reason: `case_${fault}`,
    values: { ...values },
    cause: error,
  });
}

/** Waits for the act; what it refuses becomes an error of the back office. */
export async function act<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw refusalOf(error);
  }
}
