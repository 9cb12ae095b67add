import { onTestFinished } from 'vitest';
import { openReceiver, type Receiver } from './open-receiver.ts';

export type { Received, Receiver, ReceiverHandler } from './open-receiver.ts';

export async function startReceiver(...options: Parameters<typeof openReceiver>): Promise<Receiver> {
  const receiver = await openReceiver(...options);
  onTestFinished(() => receiver.close());
  return receiver;
}
