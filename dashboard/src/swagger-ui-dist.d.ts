// The package has no types; these are the options that `docs.ts` uses.

declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  interface Options {
    dom_id: string;
    url: string;
    deepLinking: boolean;
    docExpansion: 'none' | 'list' | 'full';
    defaultModelsExpandDepth: number;
    withCredentials: boolean;
    validatorUrl: null;
  }
  export default function SwaggerUI(options: Options): void;
}
