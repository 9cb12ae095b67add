import { ServiceError } from '../kernel/errors.ts';
import type { RequestContext } from './context.ts';
import { normalise } from './normalise.ts';
import type { Operation } from './operation.ts';
import { inputFault, toServiceError } from './wire-error.ts';

const KEY_HEADER = 'Idempotency-Key';
const KEY_RULE = `The header ${KEY_HEADER} must be 1 to 255 printable ASCII characters.`;
const USABLE_KEY = /^[\x20-\x7e]{1,255}$/;

/**
 * Calls an operation, for REST and tRPC alike: normalises and validates the input, checks Idempotency-Key, runs the verb and
 * validates its answer. The endpoint authenticates the merchant before it reads the input. Throws only ServiceError.
 */
export async function call(operation: Operation, ctx: RequestContext, rawInput: unknown): Promise<unknown> {
  const keyFaulty =
    operation.idempotent === true && ctx.idempotencyKey !== undefined && !USABLE_KEY.test(ctx.idempotencyKey);
  const input = operation.input === null ? undefined : await readInput(operation, ctx, rawInput, keyFaulty);
  if (keyFaulty) throw new ServiceError('INVALID_FIELDS', KEY_RULE, { fields: [KEY_HEADER] });
  try {
    return operation.output.parse(await operation.run(ctx, input));
  } catch (error) {
    throw toServiceError(error);
  }
}

async function readInput(
  { input: schema, faults }: Operation,
  ctx: RequestContext,
  rawInput: unknown,
  keyFaulty: boolean,
): Promise<unknown> {
  const normal = normalise(rawInput);
  const { data, error } = schema?.safeParse(normal) ?? {};
  const more =
    faults === undefined ? [] : await faults(keyFaulty ? { ...ctx, idempotencyKey: undefined } : ctx, normal);
  if (error === undefined && more.length === 0) return data;
  const fault = inputFault([...(error?.issues ?? []), ...more]);
  if (!keyFaulty || fault.code !== 'INVALID_FIELDS') throw fault;
  throw new ServiceError('INVALID_FIELDS', `${fault.message} ${KEY_RULE}`, {
    fields: [...(fault.fields ?? []), KEY_HEADER],
  });
}
