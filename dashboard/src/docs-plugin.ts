// What Swagger UI does differently on the page of the API: it has no landmark, heading or server list of its own, its
// controls contain no links, and it follows references itself.

import type { Plugin, Props, System } from 'swagger-ui-dist/swagger-ui-es-bundle.js';
import { partAt, withoutReferences, type Json } from './model/references.ts';

export const LAYOUT = 'DocsLayout';

export function docsPlugin({ React: { createElement } }: System): Plugin {
  return {
    fn: { resolveSubtree },
    components: { [LAYOUT]: layout, DeepLink: ({ text }) => createElement('span', null, text) },
  };

  function layout({ getComponent, specSelectors }: Props) {
    const errors = createElement(getComponent('errors', true));
    const state = specSelectors.loadingStatus();
    if (state === 'loading') return createElement('p', null, 'loading …');
    if (!specSelectors.specStr()) return errors;
    const parts = ['AuthorizeBtnContainer', 'operations', 'Webhooks'].map((name) =>
      createElement(getComponent(name, true), { key: name }),
    );
    return createElement('div', { className: 'swagger-ui' }, errors, parts);
  }
}

async function resolveSubtree(document: unknown, path: string[]) {
  const whole = document as Json;
  return { spec: withoutReferences(whole, partAt(whole, path)), errors: [] };
}
