// biome-ignore-all lint/a11y/noNoninteractiveTabindex: the keyboard must reach a place that scrolls
import type { ComponentChildren } from 'preact';

interface ScrolledProps {
  readonly label: string;
  readonly children: ComponentChildren;
}

/** A wide table, which scrolls where the window is narrow. */
export function Scrolled({ label, children }: ScrolledProps) {
  return (
    <section class="scrolled" aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
