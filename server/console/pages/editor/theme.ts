import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** The looks of the editor. Its colors are variables of style.css and editor.css, which follow the theme of the page. */
const looks = EditorView.theme({
  '&': { color: 'var(--ink)', backgroundColor: 'var(--back)', minHeight: '0' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--code)', fontSize: '0.8125rem', lineHeight: '1.5' },
  '.cm-content': { caretColor: 'var(--ink)' },
  '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': {
    color: 'var(--soft)',
    backgroundColor: 'var(--faint)',
    borderRight: '1px solid var(--line)',
  },
  '.cm-activeLine': { backgroundColor: 'transparent' },
  '.cm-activeLineGutter': { color: 'var(--ink)', backgroundColor: 'var(--chosen)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground':
    { background: 'var(--code-selection)' },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--chosen)' },
  '&.cm-focused .cm-nonmatchingBracket': { color: 'var(--wrong)', backgroundColor: 'transparent' },
  '.cm-searchMatch': { backgroundColor: 'var(--code-match)' },
  '.cm-placeholder': { color: 'var(--soft)' },
  '.cm-panels, .cm-tooltip': {
    color: 'var(--ink)',
    backgroundColor: 'var(--faint)',
    border: '1px solid var(--soft)',
  },
  '.cm-panels': { fontFamily: 'inherit' },
  '.cm-panels button, .cm-panels input': {
    color: 'var(--ink)',
    backgroundColor: 'var(--back)',
    backgroundImage: 'none',
    border: '1px solid var(--soft)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--code)', maxHeight: '15rem' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    color: 'var(--ink)',
    backgroundColor: 'var(--chosen)',
    boxShadow: 'inset 3px 0 var(--mark)',
  },
  '.cm-completionDetail': { color: 'var(--soft)' },
  '.cm-completionMatchedText': { fontWeight: '700' },
  '.cm-tooltip-hover, .cm-completionInfo': {
    maxWidth: 'min(32rem, 90vw)',
    padding: '0.25rem 0.5rem',
    whiteSpace: 'pre-wrap',
    overflowWrap: 'anywhere',
  },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--wrong)' },
  '.cm-diagnostic-warning': { borderLeftColor: 'var(--whole)' },
});

const colors = HighlightStyle.define([
  { tag: [tags.keyword, tags.definitionKeyword, tags.modifier], color: 'var(--code-keyword)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--code-text)' },
  { tag: [tags.number, tags.bool, tags.null, tags.special(tags.name)], color: 'var(--code-value)' },
  { tag: [tags.propertyName, tags.attributeName], color: 'var(--code-name)' },
  { tag: [tags.variableName, tags.labelName], color: 'var(--code-variable)' },
  { tag: [tags.comment, tags.lineComment], color: 'var(--soft)', fontStyle: 'italic' },
  { tag: tags.invalid, color: 'var(--wrong)' },
]);

export const theme = [looks, syntaxHighlighting(colors)];
