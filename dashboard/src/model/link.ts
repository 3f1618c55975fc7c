// A document in the fragment of a URL: deflated, in URL-safe base64.

/** Beyond this, a URL is too long for mail and chat programs. */
export const LONGEST = 8192;

/** Null when the document is too long for a link. */
export async function packDocument(text: string): Promise<string | null> {
  const packed = await through(new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw')));
  const encoded = btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(''));
  const safe = encoded.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  return safe.length <= LONGEST ? safe : null;
}

/** Null for anything that `packDocument` did not produce. */
export async function unpackDocument(packed: string): Promise<string | null> {
  try {
    if (packed.length > LONGEST) return null;
    const bytes = Uint8Array.from(atob(packed.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));
    const unpacked = await through(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw')));
    return new TextDecoder('utf-8', { fatal: true }).decode(unpacked);
  } catch {
    return null;
  }
}

async function through(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  return new Uint8Array(await new Response(stream as ReadableStream<Uint8Array<ArrayBuffer>>).arrayBuffer());
}
