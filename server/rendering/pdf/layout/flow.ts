import type { Sheet } from './sheet.ts';
import { page } from './style.ts';

/** Content that is never divided between pages. Lengths are points. */
export interface Group {
  readonly height: number;
  /** The space above the group, which is omitted at the top of a page. */
  readonly gap: number;
  /** Whether the group stays on the page of the next group. */
  readonly attached: boolean;
  /** The table head that is repeated above the group at the top of a page. */
  readonly head?: { readonly height: number; draw(top: number): void };
  draw(top: number): void;
}

/** Draws groups below each other and adds a page whenever the next group does not fit. */
export function flow(sheet: Sheet, groups: readonly Group[], top: number): void {
  let at = top;
  for (const [index, group] of groups.entries()) {
    if (at + group.gap + attachedHeight(groups, index) <= page.bottom) at += group.gap;
    else at = beginPage(sheet, group);
    group.draw(at);
    at += group.height;
  }
}

/** Adds a page for a group. Returns the position of the group on it. */
function beginPage(sheet: Sheet, { head }: Group): number {
  sheet.addPage();
  head?.draw(page.nextTop);
  return page.nextTop + (head?.height ?? 0);
}

/**
 * Returns the height of a group together with the groups that must stay on its page. Returns the height of the group
 * alone when all of them do not fit on one page.
 */
function attachedHeight(groups: readonly Group[], first: number): number {
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
