import { z } from 'zod';
import * as payments from '../../src/payments/contract.ts';
import { EVENT_PAYLOADS } from '../../src/webhooks/contract.ts';

/** The part of a JSON schema with descriptions. */
export interface Described {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Described>>;
  readonly items?: Described;
  readonly anyOf?: readonly Described[];
}

/** The schemas of the exported types, by type name. */
export function contractSchemas(): Readonly<Record<string, Described>> {
  const schemas = {
    InitInput: payments.InitInput,
    InitOutput: payments.InitOutput,
    MbwayInput: payments.MbwayInput,
    MbwayOutput: payments.MbwayOutput,
    MultibancoInput: payments.MultibancoInput,
    MultibancoOutput: payments.MultibancoOutput,
    StatusInput: payments.StatusInput,
    StatusOutput: payments.StatusOutput,
    MethodsOutput: payments.MethodsOutput,
    WebhookEvent: z.union(Object.values(EVENT_PAYLOADS)),
  };
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, z.toJSONSchema(schema) as Described]),
  );
}
