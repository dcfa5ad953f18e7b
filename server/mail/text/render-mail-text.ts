import type { Brand } from '../../rendering/brand.ts';
import type { Block, Heading, Party, PrintedDocument } from '../../rendering/model.ts';
import { aligned, widthOf } from './columns.ts';
import { tableText } from './table-text.ts';

/** Renders a document as plain text for monospaced fonts. Long lines stay, because mail programs wrap them. */
export function renderMailText(document: PrintedDocument, brand: Brand): string {
  const heading = document.heading || document.title;
  const parts = [
    underlined(heading, '='),
    document.status?.text ?? '',
    ...document.parties.map(partyText),
    ...document.blocks.map(blockText),
    // The line `-- ` begins the signature, which mail programs show separately.
    ['-- ', brand.name, ...brand.address, brand.footer ?? '']
      .filter((line) => line !== '')
      .join('\n'),
  ];
  const text = parts.filter((part) => part !== '').join('\n\n');
  return `${clean(text)}\n`;
}

function blockText(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return headingText(block);
    case 'paragraph':
      return block.text;
    case 'facts':
      return aligned(block.items.map(({ term, value }) => [`${term}:`, value]));
    case 'table':
      return tableText(block);
    case 'list':
      return listText(block.items, block.ordered);
    case 'notice':
      return noticeText([block.title, block.text]);
    case 'link':
      return [block.text, block.url].filter((part) => part !== '').join(':\n');
    case 'signatures':
      return block.parties.map((party) => `____________________\n${party}`).join('\n\n');
  }
}

function headingText({ level, text }: Heading): string {
  return level === 2 ? underlined(text, '-') : text;
}

function underlined(text: string, line: string): string {
  return text === '' ? '' : `${text}\n${line.repeat(Math.min(widthOf(text), 72))}`;
}

function partyText({ label, lines }: Party): string {
  const shown = lines.filter((line) => line !== '');
  return shown.length === 0 ? '' : [label && `${label}:`, ...shown].filter(Boolean).join('\n');
}

function listText(items: readonly string[], ordered: boolean): string {
  return items
    .filter((item) => item !== '')
    .map((item, index) => `${ordered ? `${index + 1}.` : '-'} ${item.replaceAll('\n', '\n  ')}`)
    .join('\n');
}

function noticeText(texts: readonly string[]): string {
  const lines = texts.filter((text) => text !== '').flatMap((text) => text.split('\n'));
  return lines.map((line) => `| ${line}`).join('\n');
}

/** Normalizes line ends and removes control characters except tabs and line ends. */
function clean(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/(?![\t\n])\p{Cc}/gu, '');
}
