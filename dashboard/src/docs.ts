// The page to read and try the HTTP API: Swagger UI for this server's OpenAPI description.

import SwaggerUI from 'swagger-ui-dist/swagger-ui-es-bundle.js';
import 'swagger-ui-dist/swagger-ui.css';

SwaggerUI({
  dom_id: '#docs',
  url: new URL('v1/openapi.json', document.baseURI).href,
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: -1,
  // Requests go to the server that serves this page, below its prefix, with the cookie of this browser.
  withCredentials: true,
  // No request to a validator on another host.
  validatorUrl: null,
});
