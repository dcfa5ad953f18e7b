import PDFDocument from 'pdfkit';
import { fontFace } from '../text/font-face.ts';
import { page } from './style.ts';
import type { Line } from './text-lines.ts';

/** A part of the document's structure, as readers aloud walk it. */
export type Tag = PDFKit.PDFStructureElement;

export interface TagOptions {
  readonly alt?: string;
  /** Of a cell that is a head. */
  readonly scope?: 'Column' | 'Row';
}

/** Where a line stands in its box: at one side, or at the one where its text begins. */
export type Align = 'left' | 'right' | 'start';

/** Pdfkit measures each text after it wrote it, for what might follow on the line. Nothing does. */
class Pages extends PDFDocument {
  override widthOfString(): number {
    return 0;
  }
}

/**
 * Pdfkit keeps what is drawn on a page in a piece for each operator until the document ends, which take many times the
 * room of the whole. Its types leave out where.
 */
function joinContent(drawn: PDFKit.PDFPage | undefined): void {
  if (!drawn) return;
  const { content } = drawn as unknown as { content: { buffer: Uint8Array[] } };
  content.buffer = [Buffer.concat(content.buffer)];
}

/** The pages of one document; lengths are points from the upper left corner. */
export class Sheet {
  readonly pdf: PDFKit.PDFDocument;
  #colour: string | undefined;

  constructor(options: PDFKit.PDFDocumentOptions) {
    this.pdf = new Pages(options);
    for (const weight of ['regular', 'bold'] as const) {
      // Pdfkit takes objects of fontkit's kind, which its types leave out.
      this.pdf.registerFont(weight, fontFace(weight) as unknown as ArrayBuffer);
    }
  }

  addPage(): void {
    joinContent(this.pdf.page);
    this.pdf.addPage();
    this.#colour = undefined;
  }

  /** Goes back to a page, counted from 0. */
  turnTo(index: number): void {
    this.pdf.switchToPage(index);
    this.#colour = undefined;
  }

  /** A new part at the end of another one, or of the document. */
  tag(parent: Tag | undefined, type: string, options: TagOptions = {}): Tag {
    const tag = this.pdf.struct(type, options);
    if (parent) parent.add(tag);
    else this.pdf.addStructure(tag);
    return tag;
  }

  /** Draws what belongs to a part. */
  mark(tag: Tag, draw: () => void): void {
    tag.add(draw);
  }

  /** Draws what is no content: rules, grounds, and what repeats on each page. */
  artifact(type: 'Layout' | 'Pagination', draw: () => void): void {
    this.pdf.markContent('Artifact', { type });
    draw();
    this.pdf.endMarkedContent();
  }

  /** A line of text in a box that begins at `left` and has this width. */
  line(line: Line, left: number, top: number, width: number, align: Align): void {
    const { style, direction, text } = line;
    const face = fontFace(style.weight);
    const atRight = align === 'right' || (align === 'start' && direction === 'rtl');
    const start = atRight ? left + width - line.width : left;
    // Half the height of capitals above the middle, and half below.
    const baseline = top + style.leading / 2 + (style.size * face.capHeight) / face.unitsPerEm / 2;
    this.#fill(style.colour);
    this.pdf.font(style.weight).fontSize(style.size);
    this.pdf.text(
      face.directed(text, direction),
      direction === 'rtl' ? start - line.trailing : start,
      baseline,
      {
        lineBreak: false,
        baseline: 'alphabetic',
        // Asks for the layout of the whole line at once, which `FontFace` makes.
        features: [],
      },
    );
  }

  /** Lines below each other; returns where they end. */
  lines(lines: readonly Line[], left: number, top: number, width: number, align: Align): number {
    let at = top;
    for (const line of lines) {
      this.line(line, left, at, width, align);
      at += line.style.leading;
    }
    return at;
  }

  box(left: number, top: number, width: number, height: number, colour: string, radius = 0): void {
    this.#fill(colour);
    if (radius > 0) this.pdf.roundedRect(left, top, width, height, radius);
    else this.pdf.rect(left, top, width, height);
    this.pdf.fill();
  }

  /** A horizontal rule, its upper side at `top`. */
  rule(
    top: number,
    colour: string,
    thickness = 0.5,
    left: number = page.left,
    width: number = page.contentWidth,
  ): void {
    this.box(left, top, width, thickness, colour);
  }

  #fill(colour: string): void {
    if (this.#colour === colour) return;
    this.pdf.fillColor(colour);
    this.#colour = colour;
  }
}
