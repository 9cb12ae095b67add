SwaggerUIBundle({
  url: '/api/v1/openapi.json',
  domNode: document.getElementById('reference'),
  presets: [SwaggerUIBundle.presets.apis],
  supportedSubmitMethods: ['get', 'post'],
  validatorUrl: null,
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  persistAuthorization: false,
});
