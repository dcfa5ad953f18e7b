import type { Block, PrintedDocument } from '../model.ts';

/**
 * Thrown when a document needs more memory or time than one document may use. The caller can request a smaller part of
 * the document.
 */
export class DocumentTooLarge extends Error {
  override readonly name = 'DocumentTooLarge';

  constructor() {
    super('the document is too large to be printed');
  }
}

/** Maximum length of all texts of one document together, in UTF-16 code units. */
export const maxCharacters = 1_000_000;
/** Maximum separate texts of one document: table cells, list items, blocks, and lines of texts. */
export const maxTexts = 30_000;

const lineEnds = /\r\n|[\r\n\v\f\u0085\u2028\u2029]/g;

/**
 * Checks the size of a document before a thread renders it. Stops counting at the first exceeded limit. @throws
 * DocumentTooLarge for a document that is too large for a thread
 */
export function requirePrintable(document: PrintedDocument): void {
  let characters = 0;
  let texts = 0;
  for (const text of textsOf(document)) {
    characters += text.length;
    if (characters > maxCharacters) throw new DocumentTooLarge();
    texts += 1 + (text.match(lineEnds)?.length ?? 0);
    if (texts > maxTexts) throw new DocumentTooLarge();
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
