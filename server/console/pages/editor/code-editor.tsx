import type { Extension } from '@codemirror/state';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { type Editor, openEditor, type Problem } from './open-editor.ts';

export interface CodeEditorProps {
  /** The name of the field for screen readers. */
  readonly label: string;
  readonly value: string;
  readonly onChange?: (value: string) => void;
  /** The language, with its completion and its checks. Keep the array, because another one is loaded anew. */
  readonly extensions?: readonly Extension[];
  readonly isReadOnly?: boolean;
  /** Problems that the server has found. The checks of extensions replace them. */
  readonly problems?: readonly Problem[];
  /** Runs at Ctrl-Enter, or Cmd-Enter on a Mac. */
  readonly onSubmit?: () => void;
}

const none: readonly never[] = [];

/**
 * A field for code. Tab leaves it, as it leaves every other field. Ctrl-M (Shift-Alt-M on a Mac) makes Tab indent, and
 * leave again.
 */
export function CodeEditor(props: CodeEditorProps) {
  const { label, value, extensions = none, isReadOnly = false, problems } = props;
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<Editor>(undefined);
  const latest = useRef(props);
  latest.current = props;
  useLayoutEffect(() => {
    if (!host.current) return;
    const opened = openEditor(host.current, {
      onChange: (text) => latest.current.onChange?.(text),
      onSubmit: () => latest.current.onSubmit?.(),
    });
    editor.current = opened;
    return opened.close;
  }, []);
  useLayoutEffect(
    () => editor.current?.configure({ label, extensions, isReadOnly }),
    [label, extensions, isReadOnly],
  );
  useLayoutEffect(() => editor.current?.setText(value), [value]);
  useLayoutEffect(() => {
    if (problems) editor.current?.show(problems);
  }, [problems]);
  return <div ref={host} class="editor" />;
}
