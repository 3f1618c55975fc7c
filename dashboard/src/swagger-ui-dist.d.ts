// The package has no types; these are the options and the parts of its plugins that the page of the API uses.

declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  type Element = object;
  type Component = (props: Props) => Element | null;

  export interface Props {
    getComponent(name: string, withState?: boolean): Component;
    specSelectors: {
      loadingStatus(): string | undefined;
      specStr(): string;
    };
    text: unknown;
  }

  export interface System {
    React: { createElement(of: Component | string, props?: object | null, ...children: unknown[]): Element };
  }

  export interface Plugin {
    fn: { resolveSubtree(document: unknown, path: string[]): Promise<{ spec: unknown; errors: unknown[] }> };
    components: Record<string, Component>;
  }

  interface Options {
    dom_id: string;
    url: string;
    plugins: ((system: System) => Plugin)[];
    layout: string;
    deepLinking: boolean;
    docExpansion: 'none' | 'list' | 'full';
    defaultModelsExpandDepth: number;
    withCredentials: boolean;
    validatorUrl: null;
    syntaxHighlight: { activated: boolean };
  }
  export default function SwaggerUI(options: Options): void;
}
