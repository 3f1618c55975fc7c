// The editor: CodeMirror with completion and explanations from our schema, and messages from the server.

import { autocompletion, completionKeymap, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { HighlightStyle, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { forceLinting, linter, lintGutter, lintKeymap, type Diagnostic } from '@codemirror/lint';
import { EditorState, type Text } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, hoverTooltip, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { explain, keysAt, valuesAt, type Schema } from '../../model/schema.ts';
import { keysOf, placeAt } from '../../model/yaml.ts';
import type { Finding } from './findings.ts';

export interface Wanted {
  root: ShadowRoot;
  text: string;
  schema: () => Schema | null;
  judge: (text: string) => Promise<Finding[]>;
  onChange: (text: string) => void;
}

export function openEditor({ root, text, schema, judge, onChange }: Wanted): EditorView {
  const extensions = [
    lineNumbers(), history(), drawSelection(), highlightActiveLine(), lintGutter(), EditorState.tabSize.of(2), indentUnit.of('  '),
    yaml(), syntaxHighlighting(COLORS), THEME, EditorView.lineWrapping,
    EditorView.contentAttributes.of({ 'aria-label': 'Configuration document' }),
    autocompletion({ override: [(context) => complete(context, schema())], icons: false }),
    hoverTooltip((view, at) => hover(view, at, schema())),
    linter(async (view) => (await judge(view.state.doc.toString())).map((finding) => diagnostic(view.state.doc, finding)), { delay: 400 }),
    EditorView.domEventHandlers({ beforeinput: replaceSelected }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) onChange(update.state.doc.toString());
    }),
    // Escape, then Tab leaves the editor, so that it does not trap the keyboard.
    keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap, ...lintKeymap, indentWithTab]),
  ];
  const view = new EditorView({ state: EditorState.create({ doc: text, extensions }), parent: root, root });
  forceLinting(view);
  return view;
}

/** By default, Chromium keeps the look of replaced text with an inline style, which the page's policy blocks. */
function replaceSelected(event: InputEvent, view: EditorView): boolean {
  if (event.inputType !== 'insertText' || !event.data || view.state.selection.main.empty || view.composing) return false;
  event.preventDefault();
  view.dispatch(view.state.replaceSelection(event.data), { userEvent: 'input.type' });
  return true;
}

function complete(context: CompletionContext, schema: Schema | null): CompletionResult | null {
  const { state, pos } = context;
  const place = placeAt(state.doc.sliceString(0, pos).split('\n'));
  if (!schema || !place || (place.written === '' && !context.explicit)) return null;
  const options =
    place.kind === 'value'
      ? valuesAt(schema, place.path).map((label) => ({ label }))
      : keysAt(schema, place.path).map(({ key, description, isDeprecated }) => ({
          label: key, apply: `${key}: `, info: description, detail: isDeprecated ? 'deprecated' : '',
        }));
  return { from: pos - place.written.length, options, validFor: /^[\w-]*$/ };
}

function hover(view: EditorView, at: number, schema: Schema | null) {
  const line = view.state.doc.lineAt(at);
  const key = keysOf(view.state.doc.toString()).find((one) => one.line === line.number);
  if (!schema || !key) return null;
  const from = line.from + key.column - 1;
  const text = at >= from && at <= from + key.key.length ? explain(schema, key.path) : null;
  if (!text) return null;
  const dom = document.createElement('div');
  dom.className = 'explained';
  dom.textContent = text;
  return { pos: from, end: from + key.key.length, create: () => ({ dom }) };
}

function diagnostic(document: Text, { line, column, message, severity }: Finding): Diagnostic {
  const at = document.line(Math.min(Math.max(line, 1), document.lines));
  const from = Math.min(at.from + Math.max(column - 1, 0), at.to);
  const word = /^\S+/.exec(document.sliceString(from, at.to));
  return { from, to: Math.min(at.to, from + (word?.[0].length ?? 0)), severity, message };
}

const COLORS = HighlightStyle.define([
  { tag: [tags.definition(tags.propertyName), tags.propertyName], color: 'var(--accent)' },
  { tag: tags.comment, color: 'var(--text-soft)', fontStyle: 'italic' },
  { tag: [tags.punctuation, tags.separator, tags.meta], color: 'var(--text-soft)' },
]);

const THEME = EditorView.theme({
  '&': { backgroundColor: 'var(--surface)', color: 'var(--text)', fontSize: '13.5px', minHeight: '22rem', maxHeight: '70vh' },
  '&.cm-focused': { outline: '2px solid var(--accent)' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55', overflow: 'auto' },
  '.cm-content': { caretColor: 'var(--text)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--text-soft)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'color-mix(in srgb, var(--raised) 60%, transparent)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': { backgroundColor: 'var(--accent-wash)' },
  '.cm-tooltip': { backgroundColor: 'var(--surface)', color: 'var(--text)', border: '1px solid var(--line-strong)', borderRadius: '6px', maxWidth: '30rem' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--accent)', color: 'var(--accent-contrast)' },
  '.explained': { padding: '0.4rem 0.6rem', fontFamily: 'var(--font)' },
  '.cm-diagnostic': { fontFamily: 'var(--font)', whiteSpace: 'pre-wrap' },
});
