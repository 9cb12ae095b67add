import { ServiceError } from '../kernel/errors.ts';
import type { RequestContext } from './context.ts';
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

/** Deeper members are passed on unchanged: no schema is that deep. */
const DEPTH_MAX = 12;

/**
 * Removes members that are null or a blank string from the input, so that they count as absent. Elements of arrays stay, because
 * errors name them by index. Changes and returns the given value.
 */
function normalise(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || depth >= DEPTH_MAX) return value;
  const members = value as Record<string, unknown>;
  for (const name of Object.keys(members)) {
    const member = members[name];
    if (typeof member === 'object' && member !== null) normalise(member, depth + 1);
    else if (isAbsent(member) && !Array.isArray(value)) delete members[name];
  }
  return value;
}

function isAbsent(member: unknown): boolean {
  return member === null || (typeof member === 'string' && member.trim() === '');
}
