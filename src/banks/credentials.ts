import { OperatorError } from '../kernel/errors.ts';
import type { BankCredentials } from './port.ts';

const METHOD_KEY = /^[A-Z]{3}-\d{6}$/;

const RULES: readonly { name: keyof BankCredentials; pattern: RegExp; what: string }[] = [
  { name: 'mbWayKey', pattern: METHOD_KEY, what: 'must look like ABC-123456' },
  { name: 'mbKey', pattern: METHOD_KEY, what: 'must look like ABC-123456' },
  { name: 'backofficeKey', pattern: /^\d{4}-\d{4}-\d{4}-\d{4}$/, what: 'must look like 0000-0000-0000-0000' },
  {
    name: 'antiPhishingKey',
    pattern: /^[!-~]{8,100}$/,
    what: 'must have 8 to 100 printable characters without spaces',
  },
];

/**
 * The bank credentials in what an operator typed. Throws OperatorError that names every member at fault, and shows
 * none of their values.
 */
export function parseCredentials(input: unknown): BankCredentials {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw new OperatorError(
      `bank credentials must be a JSON object with ${RULES.map((rule) => rule.name).join(', ')}`,
    );
  }
  const given = input as Record<string, unknown>;
  const values: Partial<BankCredentials> = {};
  const faults: string[] = [];
  for (const { name, pattern, what } of RULES) {
    const value = given[name];
    if (value === undefined || value === null) faults.push(`${name} is missing`);
    else if (typeof value !== 'string' || !pattern.test(value)) faults.push(`${name} ${what}`);
    else values[name] = value;
  }
  if (faults.length > 0) throw new OperatorError(`bank credentials: ${faults.join('; ')}`);
  return values as BankCredentials;
}
