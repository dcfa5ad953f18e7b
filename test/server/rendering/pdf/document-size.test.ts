import { describe, expect, it } from 'vitest';
import type { Block } from '../../../../server/rendering/model.ts';
import {
  DocumentTooLarge,
  maxCharacters,
  maxTexts,
  requirePrintable,
} from '../../../../server/rendering/pdf/document-size.ts';
import { documentOf, everyKind, tableOf } from './printed.ts';

const many = Array.from({ length: maxTexts }, () => 'x');
const long = 'x'.repeat(maxCharacters);
const check = (block: Block) => () => requirePrintable(documentOf([block]));

describe('requirePrintable, which refuses documents too large for a PDF,', () => {
  it('accepts an invoice of 2,000 lines and long agreements', () => {
    requirePrintable(everyKind);
    requirePrintable(documentOf([tableOf(2000)]));
    requirePrintable(documentOf([{ kind: 'paragraph', text: 'word '.repeat(180_000) }]));
  });

  it.each<Block>([
    { kind: 'paragraph', text: long },
    { kind: 'heading', level: 2, text: long },
    { kind: 'notice', title: '', text: long },
    { kind: 'notice', title: long, text: '' },
    { kind: 'facts', items: [{ term: '', value: long }] },
    { kind: 'list', ordered: false, items: ['', long] },
    { kind: 'signatures', parties: [long] },
    tableOf(1, { caption: long }),
    tableOf(1, { rows: [['', '', long]] }),
    tableOf(1, { totals: [{ label: '', value: long, strong: false }] }),
    tableOf(1, { columns: [{ title: long, align: 'end', width: 1 }] }),
  ])('refuses a block with too many characters: $kind', (block) => {
    expect(check(block)).toThrow(DocumentTooLarge);
  });

  it.each<Block>([
    { kind: 'list', ordered: false, items: many },
    { kind: 'signatures', parties: many },
    { kind: 'facts', items: many.map((term) => ({ term, value: '' })) },
    { kind: 'paragraph', text: many.join('\n') },
    { kind: 'paragraph', text: many.join('\u2028') },
    tableOf(1, { rows: many.map((cell) => [cell]) }),
  ])('refuses a block with too many separate texts or lines: $kind', (block) => {
    expect(check(block)).toThrow(DocumentTooLarge);
  });

  it('refuses too many characters in titles, names or addresses', () => {
    const parties = [{ label: '', lines: [long] }];
    for (const more of [{ title: long }, { heading: long }, { parties }]) {
      expect(() => requirePrintable(documentOf([], more))).toThrow(DocumentTooLarge);
    }
  });

  it('refuses too many blocks', () => {
    const blocks = many.map((text) => ({ kind: 'paragraph', text }) as const);
    expect(() => requirePrintable(documentOf(blocks))).toThrow(DocumentTooLarge);
  });
});
