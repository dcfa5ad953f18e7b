import type { Extension } from '@codemirror/state';
import { ViewPlugin } from '@codemirror/view';

/** Moves the cursor to a line, and shows it. The page itself does not scroll. */
export function shownLine(line: number): Extension {
  return ViewPlugin.define((view) => {
    // A plugin must not change the view while it is made, and the text may be set after it.
    const frame = requestAnimationFrame(() => {
      const { doc } = view.state;
      const { from } = doc.line(Math.min(Math.max(line, 1), doc.lines));
      view.dispatch({ selection: { anchor: from } });
      const { scrollDOM } = view;
      scrollDOM.scrollTop = view.lineBlockAt(from).top - scrollDOM.clientHeight / 3;
    });
    return { destroy: () => cancelAnimationFrame(frame) };
  });
}
