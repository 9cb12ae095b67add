import { mutation, query, route } from '../rpc/operation.ts';
import { CreateSessionInput, CreateSessionOutput, SessionInput, SessionOutput } from './contract.ts';
import { createSession } from './create-session.ts';
import { readSession } from './session.ts';
import { sessionFaults } from './session-faults.ts';

export const checkoutOperations = {
  createSession: mutation({
    meta: route('POST', '/sessions', 'checkoutCreateSession', 'checkout', {
      summary: 'Create a session',
      description: `Creates a session with its first transaction and returns the address of its payment page. Redirect the customer's browser to \`url\`. Call it from your server only.

- The body is that of \`POST /api/v1/payments/init\`, with the same rules, plus the fields of the session.
- A session can have several transactions with one \`orderId\`, one after the other: after a rejected MB WAY push, the customer can pay by Multibanco. **Fulfil once per order**, and do not treat \`payment.failed\` as the end of an open session.
- At most one transaction of a session is pending, and it stays pending as long as its session. A session that is complete or expired starts nothing.
- The page's link to \`successUrl\` proves nothing: the webhook or the status confirms the payment.`,
      success: 'The session is open.',
    }),
    input: CreateSessionInput,
    output: CreateSessionOutput,
    idempotent: true,
    faults: sessionFaults,
    run: (ctx, input) => createSession(ctx.deps, ctx.merchant, input, ctx),
  }),
  session: query({
    meta: route('GET', '/sessions', 'checkoutSession', 'checkout', {
      summary: 'Retrieve a session',
      description: 'Returns the stored state of a session. The call never contacts the bank.',
      success: 'The stored state.',
    }),
    input: SessionInput,
    output: SessionOutput,
    run: ({ deps, merchant }, input) => readSession(deps, merchant, input),
  }),
};
