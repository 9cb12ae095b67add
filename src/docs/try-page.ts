const BANNER = `<p class="test-money" role="note"><strong>TEST MONEY</strong> The bank is a sandbox: nothing here
moves real money. Try the calls out with the key that the start of the service printed.</p>`;

/** The page around Swagger UI; what it may do is told by attributes, so that no script stands in the page itself. */
export function tryPage({ sandbox }: { sandbox: boolean }): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Try it out · Payment Collection Service${sandbox ? ' (test money)' : ''}</title>
<link rel="icon" type="image/svg+xml" href="/docs/site/icon.svg">
<link rel="stylesheet" href="/docs/assets/swagger-ui.css">
<link rel="stylesheet" href="/docs/page.css">
</head>
<body>
${sandbox ? `${BANNER}\n` : ''}<p class="back"><a href="/docs">Documentation</a> <a href="/docs/reference">Reference</a></p>
<main id="reference" data-try-it="${sandbox}">
<p class="loading">The reference is loading. It is also at <a href="/api/v1/openapi.json">/api/v1/openapi.json</a>.</p>
</main>
<script src="/docs/assets/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;
}

export const START_SCRIPT = `'use strict';
const place = document.getElementById('reference');
SwaggerUIBundle({
  url: '/api/v1/openapi.json',
  domNode: place,
  presets: [SwaggerUIBundle.presets.apis],
  supportedSubmitMethods: place.dataset.tryIt === 'true' ? ['get', 'post'] : [],
  validatorUrl: null,
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  persistAuthorization: false,
});
`;

export const TRY_STYLE = `body { margin: 0; background: #fff; }
.back { margin: 0; padding: 0.75rem 1.25rem; font: 0.95rem/1.4 system-ui, sans-serif; }
.back a { margin-right: 1rem; color: #0b57d0; }
.loading { margin: 2rem; font: 1rem/1.5 system-ui, sans-serif; }
.test-money {
  position: sticky; top: 0; z-index: 10; margin: 0; padding: 0.6rem 1.25rem;
  background: #ffd43b; color: #212529; font: 0.95rem/1.4 system-ui, sans-serif; text-align: center;
}
.test-money strong { margin-right: 0.5em; letter-spacing: 0.08em; }
.swagger-ui .info { margin: 1.5rem 0; }
.swagger-ui .info .title, .swagger-ui .markdown p, .swagger-ui .markdown li { overflow-wrap: anywhere; }
/* Swagger UI lists webhooks in a section of their own and leaves their tag's empty. */
.swagger-ui .opblock-tag[data-tag="webhooks"] { display: none; }
/* No operation has links. */
.swagger-ui .response-col_links { display: none; }
@media (max-width: 640px) {
  .swagger-ui .wrapper { padding: 0 0.75rem; }
  .swagger-ui .scheme-container .schemes { flex-direction: column; align-items: stretch; gap: 0.75rem; }
  .swagger-ui .responses-table .response-col_status { min-width: 0; padding-right: 0.75rem; }
  .swagger-ui .response-controls { flex-direction: column; gap: 0.5rem; }
  .swagger-ui .opblock .opblock-summary { flex-wrap: wrap; }
  .swagger-ui .opblock .opblock-summary-method { min-width: 4rem; }
  .swagger-ui .opblock .opblock-summary-path { max-width: none; overflow-wrap: anywhere; }
  .swagger-ui .opblock-description-wrapper, .swagger-ui .opblock-body { overflow-x: auto; }
  .swagger-ui .parameters-container, .swagger-ui .responses-inner { overflow-x: auto; }
}
`;
