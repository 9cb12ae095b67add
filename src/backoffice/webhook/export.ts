import { z } from 'zod';
import { type ExportedEvent, exportEvents } from '../../webhooks/export-events.ts';
import { merchantExportName } from '../export-name.ts';
import { ownerExport } from '../export-route.ts';

const query = z.strictObject({
  /** Only events with a higher number. */
  after: z
    .string()
    .regex(/^\d{1,15}$/, 'must be the number of an event')
    .transform(Number)
    .optional(),
});

/** All events of the merchant in their order, one JSON object a line, with the exact text of what was sent. */
export const eventsExport = ownerExport(
  'events.jsonl',
  query,
  async ({ deps, merchantId }, { after = 0 }) => ({
    fileName: await merchantExportName(deps, merchantId, 'events', 'jsonl'),
    type: 'application/x-ndjson; charset=utf-8',
    lines: linesOf(exportEvents(deps, merchantId, { after })),
  }),
);

async function* linesOf(events: AsyncIterable<ExportedEvent>): AsyncGenerator<string> {
  for await (const event of events) yield `${JSON.stringify(event)}\n`;
}
