import { type Brand, type Logo, textOn } from '../brand.ts';
import type { PrintedDocument } from '../model.ts';
import type { Group } from './layout/flow.ts';
import { type Cell, rowGroups, tagged } from './layout/row.ts';
import type { Sheet, Tag } from './layout/sheet.ts';
import { page, styles, tones } from './layout/style.ts';
import { breakLines, continued, heightOf, widthOf } from './layout/text-lines.ts';

const logo = { width: 160, height: 44 };
const addressWidth = 210;
const square = 30;
const nameWidth = page.contentWidth - addressWidth - square - 30;
const badge = { inset: 9, height: 18, gap: 14 };

/** Lays out the sender: the logo, or the name if the brand has no logo, and the address. */
export function brandGroups(sheet: Sheet, parent: Tag, brand: Brand): Group[] {
  const section = sheet.tag(parent, 'Sect');
  const sender = brand.logo
    ? logoPart(sheet, section, brand, brand.logo)
    : namePart(sheet, section, brand);
  const texts = brand.logo ? [brand.name, ...brand.address] : brand.address;
  const address = continued(texts.map((line) => breakLines(line, styles.small, addressWidth)));
  const tag = address.length > 0 ? sheet.tag(section, 'P') : undefined;
  const height = Math.max(sender.height, heightOf(address));
  const draw = (top: number) => {
    sheet.artifact('Layout', () => sheet.box(0, 0, page.width, 5, brand.colour));
    sender.draw(top);
    if (!tag) return;
    const left = page.right - addressWidth;
    sheet.mark(tag, () => sheet.lines(address, left, top, addressWidth, 'right'));
  };
  return [{ height, gap: 0, attached: true, draw }];
}

interface Part {
  readonly height: number;
  draw(top: number): void;
}

function logoPart(sheet: Sheet, parent: Tag, { name }: Brand, { data }: Logo): Part {
  const tag = sheet.tag(parent, 'Figure', { alt: name });
  return { height: logo.height, draw: (top) => sheet.mark(tag, () => drawLogo(sheet, data, top)) };
}

/** Lays out the name beside a square with its first letter. */
function namePart(sheet: Sheet, parent: Tag, { name, colour }: Brand): Part {
  const tag = sheet.tag(parent, 'P');
  const lines = breakLines(name, styles.brand, nameWidth);
  const [{ segment = '' } = {}] = new Intl.Segmenter().segment(name);
  const initial = { ...styles.brand, leading: square, colour: textOn(colour) };
  const [letter] = breakLines(segment.toUpperCase(), initial, square);
  const height = Math.max(heightOf(lines), square);
  const draw = (top: number) => {
    sheet.artifact('Layout', () => {
      sheet.box(page.left, top, square, square, colour, 5);
      if (letter)
        sheet.line(letter, page.left + (square - letter.width) / 2, top, letter.width, 'left');
    });
    const textTop = top + Math.max(0, (square - heightOf(lines)) / 2);
    sheet.mark(tag, () => sheet.lines(lines, page.left + square + 10, textTop, nameWidth, 'left'));
  };
  return { height, draw };
}

function drawLogo(sheet: Sheet, data: Uint8Array, top: number): void {
  // Makes a Buffer on the same bytes without copying them, because pdfkit's types require a Buffer.
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  sheet.pdf.image(bytes, page.left, top, { fit: [logo.width, logo.height], valign: 'center' });
}

/** Lays out the document's heading with its status at the right. */
export function titleGroups(sheet: Sheet, parent: Tag, document: PrintedDocument): Group[] {
  const { heading, title, status } = document;
  const label = status ? breakLines(status.text, statusStyle(status.tone), 160) : [];
  const labelWidth = label.length > 0 ? widthOf(label) + 2 * badge.inset : 0;
  const width = page.contentWidth - (labelWidth > 0 ? labelWidth + badge.gap : 0);
  const lines = breakLines(heading || title, styles.heading1, width);
  const cell: Cell = {
    lines: tagged(sheet.tag(parent, 'H1'), lines),
    left: page.left,
    width,
    align: 'left',
  };
  const statusTag = labelWidth > 0 && status ? sheet.tag(parent, 'P') : undefined;
  const [first, ...others] = rowGroups(sheet, [cell], { gap: 26 });
  if (!first) return [];
  const height = heightOf(label) + badge.height - styles.label.leading;
  const draw = (top: number) => {
    first.draw(top);
    if (!statusTag || !status) return;
    const at = top + Math.max(0, (styles.heading1.leading - height) / 2);
    const left = page.right - labelWidth;
    const { background } = tones[status.tone];
    sheet.artifact('Layout', () =>
      sheet.box(left, at, labelWidth, height, background, badge.height / 2),
    );
    const textTop = at + (height - heightOf(label)) / 2;
    sheet.mark(statusTag, () =>
      sheet.lines(label, left + badge.inset, textTop, labelWidth - 2 * badge.inset, 'left'),
    );
  };
  return [{ ...first, height: Math.max(first.height, height), draw }, ...others];
}

function statusStyle(tone: keyof typeof tones) {
  return { ...styles.label, weight: 'bold', colour: tones[tone].text } as const;
}
