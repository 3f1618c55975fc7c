// Where the keys of a YAML document are, by indentation: enough to show a message at its line and to complete a key.
// The server validates documents; this accepts any text. Flow collections count as plain values.

export interface KeyAt {
  /** From 1, as the server counts. */
  line: number;
  column: number;
  key: string;
  path: string[];
}

interface Frame {
  indent: number;
  /** A sequence has the index of its current item, a mapping its current key. */
  at: string;
  isSequence: boolean;
}

const KEY = /^("[^"]*"|'[^']*'|[^\s#:"'[{&*!|>%@`-][^:#]*?)\s*:(?=\s|$)\s*(.*)$/;
const BLOCK_SCALAR = /^[|>][+-]?\d?[+-]?\s*(#.*)?$/;

class Walker {
  readonly keys: KeyAt[] = [];
  #frames: Frame[] = [];
  #scalarIndent: number | null = null;

  path(): string[] {
    return this.#frames.map((frame) => frame.at);
  }

  read(text: string, line: number): void {
    const content = text.trimStart();
    const indent = text.length - content.length;
    if (content === '' || content.startsWith('#')) return;
    if (this.#scalarIndent !== null && indent > this.#scalarIndent) return;
    this.#scalarIndent = null;
    const [rest, column] = this.enter(content, indent);
    const found = KEY.exec(rest);
    if (found) this.#readKey(found, line, column);
  }

  /** Read the dashes at the start of a line; returns what follows and its column, from 0. */
  enter(content: string, indent: number): [string, number] {
    const dash = /^-(\s+|$)/.exec(content);
    if (!dash) {
      this.#leave(indent);
      return [content, indent];
    }
    this.#enterItem(indent);
    return this.enter(content.slice(dash[0].length), indent + dash[0].length);
  }

  #readKey(found: RegExpExecArray, line: number, column: number): void {
    const key = (found[1] ?? '').replace(/^["']|["']$/g, '');
    this.#leave(column);
    const top = this.#frames.at(-1);
    if (top && !top.isSequence && top.indent === column) top.at = key;
    else this.#frames.push({ indent: column, at: key, isSequence: false });
    this.keys.push({ line, column: column + 1, key, path: this.path() });
    if (BLOCK_SCALAR.test(found[2] ?? '')) this.#scalarIndent = column;
  }

  #enterItem(indent: number): void {
    // A sequence may have the same indentation as its key.
    while (this.#top() && (this.#top()!.indent > indent)) this.#frames.pop();
    const top = this.#top();
    if (top?.isSequence && top.indent === indent) top.at = String(Number(top.at) + 1);
    else this.#frames.push({ indent, at: '0', isSequence: true });
  }

  /** Close everything that a line at this indentation is not part of. */
  #leave(indent: number): void {
    for (let top = this.#top(); top && (top.indent > indent || (top.isSequence && top.indent === indent)); top = this.#top()) {
      this.#frames.pop();
    }
  }

  /** The path of the mapping that a key at this column would belong to. */
  parent(column: number): string[] {
    this.#leave(column);
    const top = this.#top();
    return top && !top.isSequence && top.indent === column ? this.path().slice(0, -1) : this.path();
  }

  #top(): Frame | undefined {
    return this.#frames.at(-1);
  }
}

export function keysOf(text: string): KeyAt[] {
  const walker = new Walker();
  text.split('\n').forEach((line, i) => walker.read(line, i + 1));
  return walker.keys;
}

/** The key at a path, or the nearest one around it. */
export function findKey(text: string, path: readonly string[]): KeyAt | null {
  const keys = keysOf(text);
  for (let length = path.length; length > 0; length--) {
    const found = keys.find((one) => one.path.length === length && one.path.every((part, i) => part === path[i]));
    if (found) return found;
  }
  return null;
}

export type Place = { kind: 'key'; path: string[]; written: string } | { kind: 'value'; path: string[]; written: string };

/** What the user is typing at the end of these lines: a key of a mapping, or the value of a key. */
export function placeAt(before: readonly string[]): Place | null {
  const walker = new Walker();
  before.slice(0, -1).forEach((line, i) => walker.read(line, i + 1));
  const last = before.at(-1) ?? '';
  if (last.trimStart().startsWith('#')) return null;
  const content = last.trimStart();
  const [rest, column] = walker.enter(content, last.length - content.length);
  const value = /^([\w-]+):\s+(\S*)$/.exec(rest);
  if (value) return { kind: 'value', path: [...walker.parent(column), value[1] ?? ''], written: value[2] ?? '' };
  return /^[\w-]*$/.test(rest) ? { kind: 'key', path: walker.parent(column), written: rest } : null;
}
