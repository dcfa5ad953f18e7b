import type { Sheet } from './sheet.ts';
import { page } from './style.ts';

/** What is never divided between pages. */
export interface Group {
  readonly height: number;
  /** Room above it; none at the top of a page. */
  readonly gap: number;
  /** Stands on the same page as the group behind it. */
  readonly attached: boolean;
  /** What is repeated above it where it begins a page. */
  readonly head?: { readonly height: number; draw(top: number): void };
  draw(top: number): void;
}

/** Puts groups below each other, and begins pages where there is no room. */
export function flow(sheet: Sheet, groups: readonly Group[], top: number): void {
  let at = top;
  for (const [index, group] of groups.entries()) {
    if (at + group.gap + together(groups, index) <= page.bottom) at += group.gap;
    else at = beginPage(sheet, group);
    group.draw(at);
    at += group.height;
  }
}

/** Returns where the group stands on it. */
function beginPage(sheet: Sheet, { head }: Group): number {
  sheet.addPage();
  head?.draw(page.nextTop);
  return page.nextTop + (head?.height ?? 0);
}

/** Height of the group with those it is attached to; of itself alone where they would not fit on one page. */
function together(groups: readonly Group[], first: number): number {
  const own = groups[first]?.height ?? 0;
  const room = page.bottom - page.nextTop - (groups[first]?.head?.height ?? 0);
  let height = own;
  for (let index = first; groups[index]?.attached; index += 1) {
    const next = groups[index + 1];
    if (!next) break;
    height += next.gap + next.height;
    if (height > room) return own;
  }
  return height;
}
