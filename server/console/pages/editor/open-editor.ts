import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, indentOnInput } from '@codemirror/language';
import { type Diagnostic, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { search, searchKeymap } from '@codemirror/search';
import { Annotation, Compartment, EditorState, type Extension, type Text } from '@codemirror/state';
import { drawSelection, EditorView, keymap, lineNumbers } from '@codemirror/view';
import { theme } from './theme.ts';

/** A problem at a place of the text. It extends to the end of the line. */
export interface Problem extends Pick<Diagnostic, 'severity' | 'message'> {
  /** The line, counted from 1. */
  readonly line: number;
  /** The column, counted from 1. */
  readonly column: number;
}

export interface EditorEvents {
  /** Runs when the user has changed the text. */
  onChange(text: string): void;
  /** Runs at Ctrl-Enter, or Cmd-Enter on a Mac. */
  onSubmit(): void;
}

export interface EditorSettings {
  readonly label: string;
  readonly extensions: readonly Extension[];
  readonly isReadOnly: boolean;
}

export interface Editor {
  configure(settings: EditorSettings): void;
  setText(text: string): void;
  show(problems: readonly Problem[]): void;
  close(): void;
}

/** Marks changes that the page makes, not the user. */
const byPage = Annotation.define<true>();

/**
 * Opens an editor in a shadow root of an element. There, CodeMirror adopts its style sheet. In the document it would
 * make a style element, which the Content-Security-Policy forbids.
 */
export function openEditor(host: HTMLElement, { onChange, onSubmit }: EditorEvents): Editor {
  const settings = new Compartment();
  const changed = EditorView.updateListener.of(({ docChanged, transactions, state }) => {
    const isByUser = !transactions.some((one) => one.annotation(byPage));
    if (docChanged && isByUser) onChange(state.doc.toString());
  });
  const submitted = () => {
    onSubmit();
    return true;
  };
  const submit = { key: 'Mod-Enter', run: submitted };
  const view = new EditorView({
    parent: host.attachShadow({ mode: 'open' }),
    extensions: [keymap.of([submit]), ...basics, changed, settings.of([])],
  });
  // Tab leaves the field until the user decides otherwise with a key of defaultKeymap.
  view.setTabFocusMode(true);
  return {
    configure: (given) => view.dispatch({ effects: settings.reconfigure(settingsOf(given)) }),
    setText: (text) => {
      const { doc } = view.state;
      const insert = view.state.toText(text);
      if (insert.eq(doc)) return;
      const changes = { from: 0, to: doc.length, insert };
      view.dispatch({ changes, annotations: byPage.of(true) });
    },
    show: (problems) => {
      const { doc } = view.state;
      const found = problems.map((problem) => diagnosticOf(problem, doc));
      view.dispatch(setDiagnostics(view.state, found));
    },
    close: () => view.destroy(),
  };
}

/**
 * Replaces the selection by a typed text. Chromium would do so in the document, and keep the colors of the old text as
 * inline styles, which the Content-Security-Policy refuses and reports. CodeMirror discards them anyway.
 */
const replaceSelection = EditorView.domEventHandlers({
  beforeinput: ({ inputType, data }, view) => {
    const { state, composing } = view;
    const { from, to, empty } = state.selection.main;
    if (inputType !== 'insertText' || data === null || empty || composing) return false;
    const insert = () =>
      state.update(state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true });
    const handlers = state.facet(EditorView.inputHandler);
    if (!handlers.some((handle) => handle(view, from, to, data, insert))) view.dispatch(insert());
    return true;
  },
});

const basics: readonly Extension[] = [
  replaceSelection,
  lineNumbers(),
  history(),
  drawSelection(),
  indentOnInput(),
  bracketMatching(),
  closeBrackets(),
  autocompletion(),
  search({ top: true }),
  keymap.of([
    ...closeBracketsKeymap,
    ...completionKeymap,
    ...searchKeymap,
    ...historyKeymap,
    ...lintKeymap,
    ...defaultKeymap,
    indentWithTab,
  ]),
  EditorView.lineWrapping,
  theme,
];

function settingsOf({ label, extensions, isReadOnly }: EditorSettings): Extension {
  return [
    EditorView.contentAttributes.of({ 'aria-label': label }),
    EditorState.readOnly.of(isReadOnly),
    ...extensions,
  ];
}

/** The text can be another one than that in which the problem was found. */
function diagnosticOf({ line, column, severity, message }: Problem, doc: Text): Diagnostic {
  const { from, to } = doc.line(Math.min(Math.max(line, 1), doc.lines));
  return { from: Math.min(from + column - 1, to), to, severity, message };
}
