import type { Static } from 'typebox';
import type {
  actAnswer,
  actWords,
  pageAnswer,
  sectionsAnswer,
} from '../../../admin/section-bodies.ts';

export type Sections = Static<typeof sectionsAnswer>;
export type Section = Sections[number];
export type List = Section['lists'][number];
export type Act = List['acts'][number];
export type Page = Static<typeof pageAnswer>;
export type Row = Page['rows'][number];
export type ActWords = Static<typeof actWords>;
export type ActAnswer = Static<typeof actAnswer>;

/** A list of a section, for one row of another list if it belongs to one. */
export interface ListName {
  readonly section: string;
  readonly list: string;
  readonly of?: string | undefined;
}
