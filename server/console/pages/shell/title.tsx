import { useLayoutEffect, useRef } from 'preact/hooks';

/**
 * The title of a screen. It takes the focus, so that the keyboard and screen readers begin at a new screen instead of
 * the link that led to it.
 */
export function Title({ children }: { readonly children: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => heading.current?.focus(), []);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  );
}
