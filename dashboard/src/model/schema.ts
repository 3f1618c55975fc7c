// What a JSON schema says about a position in a document.

export interface Schema {
  $ref?: string;
  $defs?: Record<string, Schema>;
  description?: string;
  default?: unknown;
  deprecated?: boolean;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}

const MOST_NESTED = 20;

/** Every schema that may apply at a path; an index of a sequence is a number as text. */
export function schemasAt(root: Schema, path: readonly string[]): Schema[] {
  let here = alternatives(root, root);
  for (const part of path) here = here.flatMap((schema) => below(schema, part)).flatMap((schema) => alternatives(root, schema));
  return here;
}

function below(schema: Schema, part: string): Schema[] {
  if (schema.items && /^\d+$/.test(part)) return [schema.items];
  const named = schema.properties?.[part];
  if (named) return [named];
  return typeof schema.additionalProperties === 'object' ? [schema.additionalProperties] : [];
}

/** The schema and what it refers to, without references. */
function alternatives(root: Schema, schema: Schema, depth = 0): Schema[] {
  if (depth > MOST_NESTED) return [];
  const target = schema.$ref ? root.$defs?.[schema.$ref.replace('#/$defs/', '')] : undefined;
  const nested = [...(target ? [target] : []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  return [schema, ...nested.flatMap((one) => alternatives(root, one, depth + 1))];
}

export interface KnownKey {
  key: string;
  description: string;
  isDeprecated: boolean;
}

export function keysAt(root: Schema, path: readonly string[]): KnownKey[] {
  const found = new Map<string, KnownKey>();
  for (const schema of schemasAt(root, path)) {
    for (const [key, property] of Object.entries(schema.properties ?? {})) {
      if (!found.has(key)) found.set(key, { key, description: property.description ?? '', isDeprecated: property.deprecated ?? false });
    }
  }
  return [...found.values()];
}

export function valuesAt(root: Schema, path: readonly string[]): string[] {
  const values = schemasAt(root, path).flatMap((schema) => [
    ...(schema.enum ?? []),
    ...('const' in schema ? [schema.const] : []),
    ...([schema.type].flat().includes('boolean') ? [true, false] : []),
  ]);
  return [...new Set(values.map(String))];
}

/** The tooltip of a key. */
export function explain(root: Schema, path: readonly string[]): string | null {
  const schemas = schemasAt(root, path);
  const description = schemas.find((schema) => schema.description)?.description;
  if (!description) return null;
  const withDefault = schemas.find((schema) => schema.default !== undefined && schema.default !== null);
  const usual = withDefault ? ` Default: ${JSON.stringify(withDefault.default)}.` : '';
  return `${description}${usual}${schemas.some((schema) => schema.deprecated) ? ' Deprecated.' : ''}`;
}
