// The page to read and try the HTTP API: the most used requests, then Swagger UI for this server's OpenAPI description.

import SwaggerUI from 'swagger-ui-dist/swagger-ui-es-bundle.js';
import 'swagger-ui-dist/swagger-ui.css';
import './styles/tokens.css';
import './styles/docs.css';
import { completeAttributes } from './docs-attributes.ts';
import { docsPlugin, LAYOUT } from './docs-plugin.ts';
import { anchorOf, MOST_USED } from './model/api-requests.ts';

const list = document.querySelector('#most-used')!;
for (const request of MOST_USED) {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = `docs${anchorOf(request)}`;
  link.textContent = `${request.method} ${request.path}`;
  item.append(link, ` ${request.answers}`);
  list.append(item);
}

completeAttributes(document.querySelector('#docs')!);
SwaggerUI({
  dom_id: '#docs',
  url: new URL('v1/openapi.json', document.baseURI).href,
  plugins: [docsPlugin],
  layout: LAYOUT,
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: -1,
  // Requests go to the server that serves this page, below its prefix, with the cookie of this browser.
  withCredentials: true,
  // No request to a validator on another host.
  validatorUrl: null,
  // Its colors are too pale to read on any background.
  syntaxHighlight: { activated: false },
});
