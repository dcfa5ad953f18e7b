import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

interface PanelProps {
  readonly title: string;
  readonly close: () => void;
  readonly children: ComponentChildren;
}

/** The details of a line, beside the list. The panel takes the focus, and Escape closes it. */
export function Panel({ title, close, children }: PanelProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => heading.current?.focus(), [title]);
  return (
    <section
      class="details work-panel"
      aria-labelledby="panel"
      onKeyDown={({ key, target }) =>
        // A dialog inside of the panel has its own Escape.
        key === 'Escape' && !(target as Element).closest('dialog') && close()
      }
    >
      <button type="button" class="close" onClick={close}>
        Close
      </button>
      <h2 id="panel" ref={heading} tabIndex={-1}>
        {title}
      </h2>
      {children}
    </section>
  );
}
