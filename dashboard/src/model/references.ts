// The references of an OpenAPI description. Swagger UI's own resolver reads the whole description into objects of its own
// each time, which takes seconds of CPU time per request that is opened.

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** A part of a document, with what each `$ref` refers to in place of it. A reference inside of what it refers to stays. */
export function withoutReferences(document: Json, part: Json, inside: readonly string[] = []): Json {
  if (part === null || typeof part !== 'object') return part;
  if (isList(part)) return part.map((one) => withoutReferences(document, one, inside));
  const reference = part['$ref'];
  if (typeof reference === 'string' && reference.startsWith('#/') && !inside.includes(reference))
    return withoutReferences(document, partAt(document, namesOf(reference)), [...inside, reference]);
  return Object.fromEntries(Object.entries(part).map(([name, one]) => [name, withoutReferences(document, one, inside)]));
}

/** What is at these names, one within the other; null if there is nothing. */
export function partAt(document: Json, names: readonly string[]): Json {
  return names.reduce<Json>((part, name) => (part as Record<string, Json> | null)?.[name] ?? null, document);
}

/** The names in a JSON pointer such as `#/paths/~1v1~1repos/get`. */
function namesOf(reference: string): string[] {
  return reference.slice(2).split('/').map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function isList(part: Json): part is readonly Json[] {
  return Array.isArray(part);
}
