import { EVENT_KINDS, EVENT_PAYLOADS } from '../../webhooks/contract.ts';
import { type Html, html } from '../html.ts';
import { EXAMPLE_WEBHOOK_SECRET, exampleEventBody, exampleEventHeaders } from '../openapi/examples.ts';
import { SCHEMA_NAMES } from '../openapi/webhooks.ts';
import type { OpenApiDocument } from '../openapi.ts';
import { codeBlock } from '../samples.ts';
import { type Schema, schemaTable } from './schema-table.ts';

/** Every kind of event with its members and a delivery of it as it goes over the wire, signed. */
export function eventSections(document: OpenApiDocument): Html {
  const schemas = document.components.schemas as Readonly<Record<string, Schema>>;
  return html`${EVENT_KINDS.map((kind) => {
    const id = `event-${kind}`;
    const headers = Object.entries(exampleEventHeaders(kind)).map(([name, value]) => `${name}: ${value}`);
    return html`<section class="event" aria-labelledby="${id}">
<h3 id="${id}"><code>${kind}</code></h3>
<p>${EVENT_PAYLOADS[kind].meta()?.description ?? ''}</p>
${codeBlock(`${headers.join('\n')}\n\n${exampleEventBody(kind)}`, 'text', 'A delivery, byte for byte')}
${schemaTable(SCHEMA_NAMES[kind], schemas[SCHEMA_NAMES[kind]] ?? {}, false)}
</section>`;
  })}`;
}

/** The secret that signed the deliveries above, so that a receiver's check can be tried on them. */
export function exampleSecret(): Html {
  return html`<code>${EXAMPLE_WEBHOOK_SECRET}</code>`;
}
