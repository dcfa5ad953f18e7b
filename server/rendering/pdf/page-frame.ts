import type { Brand } from '../brand.ts';
import type { PrintedDocument } from '../model.ts';
import type { Sheet } from './layout/sheet.ts';
import { colours, page, styles } from './layout/style.ts';
import { breakLines } from './layout/text-lines.ts';

const half = page.contentWidth / 2 - 10;
const footTop = page.bottom + 12;
const numberWidth = 90;
/** The number of footer lines that fit below each page. */
const footerLines = 4;

/** Draws the footer and page number of each page, and brand and heading at the top of all pages but the first. */
export function drawFrames(sheet: Sheet, document: PrintedDocument, brand: Brand): void {
  const { count } = sheet.pdf.bufferedPageRange();
  const footerWidth = page.contentWidth - numberWidth - 10;
  const footer = breakLines(
    `${brand.name}\n${brand.footer ?? ''}`,
    styles.small,
    footerWidth,
  ).slice(0, footerLines);
  const name = breakLines(brand.name, styles.small, half).slice(0, 1);
  const heading = breakLines(document.heading || document.title, styles.small, half).slice(0, 1);
  for (let index = 0; index < count; index += 1) {
    sheet.turnTo(index);
    const number = breakLines(`Page ${index + 1} of ${count}`, styles.small, numberWidth);
    sheet.artifact('Pagination', () => {
      if (index > 0) {
        sheet.lines(name, page.left, 40, half, 'left');
        sheet.lines(heading, page.right - half, 40, half, 'right');
        sheet.rule(56, colours.rule);
      }
      sheet.rule(footTop - 6, colours.rule);
      sheet.lines(footer, page.left, footTop, footerWidth, 'left');
      sheet.lines(number, page.right - numberWidth, footTop, numberWidth, 'right');
    });
  }
}
