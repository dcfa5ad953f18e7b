import type { ComponentChildren } from 'preact';
import { type Go, hrefOf, type Place } from './place.ts';

interface LinkProps {
  readonly place: Place;
  readonly go: Go;
  readonly isCurrent?: boolean;
  /** The id of the element, by which the focus returns to it. */
  readonly id?: string;
  readonly children: ComponentChildren;
}

/** A link to a place of the console. A click with a modifier key opens it elsewhere, as the browser does. */
export function Link({ place, go, isCurrent = false, id, children }: LinkProps) {
  const follow = (event: MouseEvent) => {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    go(place);
  };
  return (
    <a id={id} href={hrefOf(place)} onClick={follow} aria-current={isCurrent ? 'page' : undefined}>
      {children}
    </a>
  );
}
