import type { OpenApiMeta } from 'trpc-to-openapi';
import { mutation, query } from '../rpc/operation.ts';
import { CreateSessionInput, CreateSessionOutput, SessionInput, SessionOutput } from './contract.ts';
import { createSession } from './create-session.ts';
import { readSession } from './session.ts';
import { sessionFaults } from './session-faults.ts';

const meta = (
  method: 'GET' | 'POST',
  operationId: string,
  summary: string,
  description: string,
  successDescription: string,
): OpenApiMeta => ({
  openapi: {
    method,
    path: '/sessions',
    operationId,
    protect: true,
    tags: ['checkout'],
    summary,
    description,
    successDescription,
  },
});

export const checkoutOperations = {
  createSession: mutation({
    meta: meta(
      'POST',
      'checkoutCreateSession',
      'Create a session',
      `Creates a session with its first transaction and returns the address of its payment page. Redirect the customer's browser to \`url\`. Call it from your server only.

- The body is that of \`POST /api/v1/payments/init\`, with the same rules, plus the fields of the session.
- A session can have several transactions with one \`orderId\`, one after the other: after a rejected MB WAY push, the customer can pay by Multibanco. **Fulfil once per order**, and do not treat \`payment.failed\` as the end of an open session.
- At most one transaction of a session is pending, and it stays pending as long as its session. A session that is complete or expired starts nothing.
- The page's link to \`successUrl\` proves nothing: the webhook or the status confirms the payment.`,
      'The session is open.',
    ),
    input: CreateSessionInput,
    output: CreateSessionOutput,
    idempotent: true,
    faults: sessionFaults,
    run: (ctx, input) => createSession(ctx.deps, ctx.merchant, input, ctx),
  }),
  session: query({
    meta: meta(
      'GET',
      'checkoutSession',
      'Retrieve a session',
      'Returns the stored state of a session. The call never contacts the bank.',
      'The stored state.',
    ),
    input: SessionInput,
    output: SessionOutput,
    run: ({ deps, merchant }, input) => readSession(deps, merchant, input),
  }),
};
