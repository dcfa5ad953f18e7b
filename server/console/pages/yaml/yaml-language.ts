import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { yaml, yamlLanguage } from '@codemirror/lang-yaml';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { yamlPlace } from './yaml-path.ts';
import { type WordScope, wordsAt } from './yaml-words.ts';

/** Colors YAML, and completes the keys, operators, columns and roles of a file with rules. */
export function yamlOf(scope: WordScope): readonly Extension[] {
  const complete = ({ state, pos, explicit }: CompletionContext): CompletionResult | null => {
    const place = yamlPlace(state.sliceDoc(0, pos));
    if (place.from === pos && !explicit) return null;
    const labels = new Map(wordsAt(place, scope).map((word) => [word.label, word]));
    const after = state.sliceDoc(pos, pos + 1);
    const colon = place.isKey && after !== ':' ? ': ' : '';
    const options = [...labels.values()].map((word) => ({ ...word, apply: word.label + colon }));
    return { from: place.from, options, validFor: /^[\w.$-]*$/ };
  };
  // Tools for accessibility recognize a scrolled field as focusable by this attribute alone.
  const focusable = EditorView.contentAttributes.of({ tabindex: '0' });
  return [yaml(), yamlLanguage.data.of({ autocomplete: complete }), focusable];
}
