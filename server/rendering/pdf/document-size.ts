import type { Block, PrintedDocument } from '../model.ts';

/** More than there is memory and time to print; a smaller part of it can be asked for. */
export class DocumentTooLarge extends Error {
  override readonly name = 'DocumentTooLarge';

  constructor() {
    super('the document is too large to be printed');
  }
}

/** Of one document, in UTF-16 units of all its texts together. */
export const mostCharacters = 1_000_000;
/** Texts of one document that stand apart from each other: cells of tables, items of lists, blocks, and lines of texts. */
export const mostTexts = 30_000;

const lineEnds = /\r\n|[\r\n\v\f\u0085\u2028\u2029]/g;

/** Throws DocumentTooLarge where a document is more than a thread has memory for. Looks at no more than it has to. */
export function requirePrintable(document: PrintedDocument): void {
  let characters = 0;
  let texts = 0;
  for (const text of textsOf(document)) {
    characters += text.length;
    if (characters > mostCharacters) throw new DocumentTooLarge();
    texts += 1 + (text.match(lineEnds)?.length ?? 0);
    if (texts > mostTexts) throw new DocumentTooLarge();
  }
}

function* textsOf(document: PrintedDocument): Generator<string> {
  yield document.title;
  yield document.heading;
  yield document.status?.text ?? '';
  for (const { label, lines } of document.parties) {
    yield label;
    yield* lines;
  }
  for (const block of document.blocks) yield* blockTexts(block);
}

function* blockTexts(block: Block): Generator<string> {
  switch (block.kind) {
    case 'heading':
    case 'paragraph':
      return yield block.text;
    case 'facts':
      for (const { term, value } of block.items) yield* [term, value];
      return;
    case 'table':
      yield block.caption;
      for (const { title } of block.columns) yield title;
      for (const row of block.rows) yield* row;
      for (const { label, value } of block.totals ?? []) yield* [label, value];
      return;
    case 'list':
      return yield* block.items;
    case 'notice':
      return yield* [block.title, block.text];
    case 'link':
      return yield* [block.text, block.url];
    case 'signatures':
      return yield* block.parties;
  }
}
