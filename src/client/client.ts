import { clientOf } from './call.ts';
import type { PaymentsClientOptions } from './options.ts';
import type { PaymentsClient } from './payments-client.ts';
import { readOptions } from './settings.ts';

export type {
  CreateSessionInput,
  CreateSessionOutput,
  ErrorCode,
  InitInput,
  InitOutput,
  MbwayInput,
  MbwayOutput,
  MethodsOutput,
  MultibancoInput,
  MultibancoOutput,
  SessionInput,
  SessionOutput,
  StatusInput,
  StatusOutput,
} from './contract.ts';
export { PaymentsConnectionError, PaymentsError } from './errors.ts';
export type { CallOptions, CancelSignal, Fetch, InitOptions, PaymentsClientOptions } from './options.ts';
export type { PaymentsClient } from './payments-client.ts';

/** Creates a client for one merchant's key. Throws TypeError for invalid options, and in a browser page. */
export function createPaymentsClient(options: PaymentsClientOptions): PaymentsClient {
  refuseBrowserPage();
  return clientOf(readOptions(options));
}

/** Throws in a browser page, where anyone could read the key. Edge runtimes and workers have no document. */
function refuseBrowserPage(): void {
  const { window } = globalThis as { window?: { document?: unknown } };
  if (window?.document === undefined) return;
  throw new TypeError(
    'The payments client does not run in a browser page: the API key is secret, and anyone who opens the page could read it. ' +
      'Call the client from your server, and your server from the page.',
  );
}
