import { linkLine } from '../../link.ts';
import type { Block, Heading } from '../../model.ts';
import type { Group } from '../layout/flow.ts';
import type { Sheet, Tag } from '../layout/sheet.ts';
import { factsGroups } from './facts.ts';
import { noticeGroups } from './notice.ts';
import { signatureGroups } from './signatures.ts';
import { tableGroups } from './table.ts';
import { headingGroups, listGroups, paragraphGroups } from './text-blocks.ts';

/** Lays out blocks in order. Omits blocks without content. */
export function blockGroups(
  sheet: Sheet,
  parent: Tag,
  blocks: readonly Block[],
  accent: string,
): Group[] {
  let level: 1 | 2 | 3 = 1;
  return blocks.flatMap((block) => {
    if (block.kind !== 'heading') return groupsOf(sheet, parent, block, accent);
    if (block.text === '') return [];
    // The first heading after the title gets level 2, whatever its own level, because screen reader users take a
    // skipped level for missing content.
    level = level === 1 ? 2 : block.level;
    return headingGroups(sheet, parent, { ...block, level });
  });
}

function groupsOf(
  sheet: Sheet,
  parent: Tag,
  block: Exclude<Block, Heading>,
  accent: string,
): Group[] {
  switch (block.kind) {
    case 'paragraph':
      return paragraphGroups(sheet, parent, block);
    case 'facts':
      return factsGroups(sheet, parent, block);
    case 'table':
      return tableGroups(sheet, parent, block, accent);
    case 'list':
      return listGroups(sheet, parent, block);
    case 'notice':
      return noticeGroups(sheet, parent, block, accent);
    case 'link':
      return paragraphGroups(sheet, parent, { kind: 'paragraph', text: linkLine(block) });
    case 'signatures':
      return signatureGroups(sheet, parent, block);
  }
}
