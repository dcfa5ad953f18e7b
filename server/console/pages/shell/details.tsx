import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

interface DetailsProps {
  readonly title: string;
  readonly close: () => void;
  readonly children: ComponentChildren;
}

/** A panel beside the content of a screen. It takes the focus, and Escape closes it. */
export function Details({ title, close, children }: DetailsProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => heading.current?.focus(), [title]);
  return (
    <section
      class="details"
      aria-labelledby="details"
      onKeyDown={({ key, target }) =>
        // A dialog inside of the panel has its own Escape.
        key === 'Escape' && !(target as Element).closest('dialog') && close()
      }
    >
      <button type="button" class="close" onClick={close}>
        Close
      </button>
      <h2 id="details" ref={heading} tabIndex={-1}>
        {title}
      </h2>
      {children}
    </section>
  );
}
