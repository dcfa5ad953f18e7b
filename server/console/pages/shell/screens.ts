import type { Matrix, Session } from '../api/answers.ts';
import type { Go, Place } from './place.ts';

/** The screens in the order of the navigation. */
export const screens = [
  { name: 'matrix', title: 'Matrix' },
  { name: 'rule', title: 'Rule' },
  { name: 'change', title: 'Change' },
  { name: 'health', title: 'Health' },
  { name: 'events', title: 'Events' },
] as const;

export type ScreenName = (typeof screens)[number]['name'];

/** The properties that the shell gives to every screen. */
export interface ScreenProps {
  readonly place: Place;
  readonly go: Go;
  readonly matrix: Matrix;
  readonly session: Session;
  readonly onSignedOut: () => void;
}
