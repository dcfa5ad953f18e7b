import PDFDocument from 'pdfkit';
import { fontFace } from '../text/font-face.ts';
import { page } from './style.ts';
import type { Line } from './text-lines.ts';

/** An element of the document's logical structure, which screen readers use. */
export type Tag = PDFKit.PDFStructureElement;

export interface TagOptions {
  readonly alt?: string;
  /** The scope of a header cell. */
  readonly scope?: 'Column' | 'Row';
}

/** The alignment of a line in its box. `start` is the side where its text begins. */
export type Align = 'left' | 'right' | 'start';

/**
 * Pdfkit measures each text after writing it, to find where the line continues. Lines are never continued here, so
 * measuring is disabled, which saves time.
 */
class Pages extends PDFDocument {
  override widthOfString(): number {
    return 0;
  }
}

/**
 * Joins the content of a finished page. Pdfkit keeps one buffer for each drawing operator until the document ends,
 * which takes many times the memory of the joined content. Its types do not include this property.
 */
function joinContent(drawn: PDFKit.PDFPage | undefined): void {
  if (!drawn) return;
  const { content } = drawn as unknown as { content: { buffer: Uint8Array[] } };
  content.buffer = [Buffer.concat(content.buffer)];
}

/** Draws the pages of one document. Positions are points from the upper left corner. */
export class Sheet {
  readonly pdf: PDFKit.PDFDocument;
  #colour: string | undefined;

  constructor(options: PDFKit.PDFDocumentOptions) {
    this.pdf = new Pages(options);
    for (const weight of ['regular', 'bold'] as const) {
      // Pdfkit accepts font objects of fontkit, which its types do not include.
      this.pdf.registerFont(weight, fontFace(weight) as unknown as ArrayBuffer);
    }
  }

  addPage(): void {
    joinContent(this.pdf.page);
    this.pdf.addPage();
    this.#colour = undefined;
  }

  /** Switches to an earlier page. @param index counted from 0 */
  turnTo(index: number): void {
    this.pdf.switchToPage(index);
    this.#colour = undefined;
  }

  /** Adds an element at the end of its parent, or of the document. */
  tag(parent: Tag | undefined, type: string, options: TagOptions = {}): Tag {
    const tag = this.pdf.struct(type, options);
    if (parent) parent.add(tag);
    else this.pdf.addStructure(tag);
    return tag;
  }

  /** Draws the content of an element. */
  mark(tag: Tag, draw: () => void): void {
    tag.add(draw);
  }

  /** Draws parts that are not content: rules, backgrounds, and repetitions on each page. */
  artifact(type: 'Layout' | 'Pagination', draw: () => void): void {
    this.pdf.markContent('Artifact', { type });
    draw();
    this.pdf.endMarkedContent();
  }

  /** Draws a line of text in a box with the given left edge and width. */
  line(line: Line, left: number, top: number, width: number, align: Align): void {
    const { style, direction, text } = line;
    const face = fontFace(style.weight);
    const atRight = align === 'right' || (align === 'start' && direction === 'rtl');
    const start = atRight ? left + width - line.width : left;
    // Centres the capitals vertically in the line.
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
        // With this option pdfkit requests the layout of a whole line from `FontFace`. Without this option, it requests
        // each word separately.
        features: [],
      },
    );
  }

  /** Draws lines below each other. Returns the position of the bottom of the last line. */
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

  /** Draws a horizontal rule with its upper edge at `top`. */
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
