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
