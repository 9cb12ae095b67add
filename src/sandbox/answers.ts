import type { FastifyReply } from 'fastify';
import { type Cents, decimalFromCents, eurosFromCents } from '../kernel/money.ts';
import type { Random } from '../kernel/random.ts';
import type { SandboxContext } from './context.ts';
import { INQUIRY_FAULTS, takeFault } from './faults.ts';

/** One byte that picks this answer's spelling: real answers vary, and an adapter must cope with each. */
export function throwDice(random: Random): number {
  return random(1)[0] ?? 0;
}

/** `Amount` as a number or as text, `OrderId` or `orderId`. */
export function spelling(dice: number, amount: Cents, orderId: string): Record<string, unknown> {
  return {
    Amount: dice & 1 ? decimalFromCents(amount) : eurosFromCents(amount),
    [dice & 4 ? 'orderId' : 'OrderId']: orderId,
  };
}

/** Never answers: the connection stays open until the other side gives up (or the sandbox stops). */
export function leaveHanging(reply: FastifyReply): void {
  reply.hijack();
}

/** Cuts the connection with a reset and no answer. */
export function cutConnection(reply: FastifyReply): void {
  reply.hijack();
  reply.raw.socket?.resetAndDestroy();
}

export function serverError(reply: FastifyReply): FastifyReply {
  return reply.code(500).type('text/plain').send('Internal Server Error');
}

/** Half of a JSON object, with the status of a good answer. */
export function garbage(reply: FastifyReply): FastifyReply {
  return reply.code(200).type('application/json').send('{"Amount":"1');
}

/** Plays a fault of the inquiries and lists, if one is due; true when the reply is taken care of. */
export function inquiryFault(context: SandboxContext, reply: FastifyReply): boolean {
  switch (takeFault(context.db, INQUIRY_FAULTS)) {
    case 'hang-inquiry':
      leaveHanging(reply);
      return true;
    case 'error500-inquiry':
      void serverError(reply);
      return true;
    case null:
      return false;
  }
}
