// Writes SVG as text. Names of queues and branches are untrusted: everything is escaped here.

export interface Attributes {
  [name: string]: string | number;
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
/** XML has no way to write these characters. */
// eslint-disable-next-line no-control-regex
const IMPOSSIBLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

export function escaped(text: string): string {
  return text.replace(IMPOSSIBLE, '\ufffd').replace(/[&<>"']/g, (one) => ESCAPES[one] ?? one);
}

export function element(name: string, attributes: Attributes, content = ''): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(typeof value === 'number' ? rounded(value) : value)}"`);
  return `<${name}${written.join('')}${content ? `>${content}</${name}>` : '/>'}`;
}

export function text(x: number, y: number, words: string, attributes: Attributes = {}): string {
  return element('text', { x, y, ...attributes }, escaped(words));
}

export function rectangle(x: number, y: number, width: number, height: number, fill: string, more: Attributes = {}): string {
  return width > 0 && height > 0 ? element('rect', { x, y, width, height, fill, ...more }) : '';
}

export function polyline(points: readonly (readonly [number, number])[], stroke: string, more: Attributes = {}): string {
  const path = points.map(([x, y]) => `${rounded(x)},${rounded(y)}`).join(' ');
  return element('polyline', { points: path, fill: 'none', stroke, 'stroke-width': 2, 'stroke-linejoin': 'round', ...more });
}

export function document(width: number, height: number, title: string, content: string): string {
  const head = { xmlns: 'http://www.w3.org/2000/svg', width, height, viewBox: `0 0 ${width} ${height}`, role: 'img', 'font-family': FONT, 'font-size': 13 };
  return `${element('svg', head, `<title>${escaped(title)}</title>${content}`)}\n`;
}

const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'DejaVu Sans', sans-serif";

function rounded(value: number): string {
  return String(Math.round(value * 10) / 10);
}
