import type { Extension } from '@codemirror/state';
import { EditorView, ViewPlugin } from '@codemirror/view';

/** Moves the cursor to a line, and scrolls there. */
export function shownLine(line: number): Extension {
  return ViewPlugin.define((view) => {
    // A plugin must not change the view while it is made, and the text may be set after it.
    const frame = requestAnimationFrame(() => {
      const { doc } = view.state;
      const { from } = doc.line(Math.min(Math.max(line, 1), doc.lines));
      const effects = EditorView.scrollIntoView(from, { y: 'center' });
      view.dispatch({ selection: { anchor: from }, effects });
    });
    return { destroy: () => cancelAnimationFrame(frame) };
  });
}
