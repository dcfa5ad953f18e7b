import type { Matrix, Session } from '../api/answers.ts';
import type { Go, Place } from './place.ts';

/** The screens in the order of the navigation. */
export const screens = [
  { name: 'matrix', title: 'Matrix' },
  { name: 'rule', title: 'Rule' },
  { name: 'as', title: 'As' },
  { name: 'explorer', title: 'Explorer' },
  { name: 'health', title: 'Health' },
  { name: 'events', title: 'Events' },
  { name: 'application', title: 'Application' },
] as const;

export type ScreenName = (typeof screens)[number]['name'];

/** Returns the screens for the navigation. A gateway without an application has no screen for it. */
export function screensFor({ sections }: Session): (typeof screens)[number][] {
  return screens.filter(({ name }) => name !== 'application' || sections.length > 0);
}

/** The properties that the shell gives to every screen. */
export interface ScreenProps {
  readonly place: Place;
  readonly go: Go;
  readonly matrix: Matrix;
  readonly session: Session;
  readonly onSignedOut: () => void;
}
