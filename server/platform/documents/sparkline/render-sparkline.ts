import { describe, type SparklineFormat } from './describe-series.ts';
import { draw, height, width } from './draw-series.ts';
import { type Figures, figuresOf } from './figures.ts';
import type { Series } from './series.ts';

/** Colours with a contrast of at least 3:1 on white and on near black, as WCAG requires for graphics. */
const colours: Readonly<Record<Figures['direction'], string>> = {
  up: '#1a7f37',
  down: '#cf222e',
  level: '#6e7781',
};

/** Renders a series as a self-contained SVG with a text alternative. */
export function renderSparkline(series: Series, format: SparklineFormat): string {
  const figures = figuresOf(series.totals);
  const { title, text } = describe(series, figures, format);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" xml:lang="en">`,
    `<title>${escapeXml(title)}</title>`,
    `<desc>${escapeXml(text)}</desc>`,
    figures ? picture(series, figures) : noData,
    '</svg>',
  ].join('\n');
}

function picture({ totals }: Series, figures: Figures): string {
  const { line, mark } = draw(totals, figures);
  const colour = colours[figures.direction];
  return [
    `<path d="${line}" fill="none" stroke="${colour}" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round"/>`,
    `<polygon points="${mark}" fill="${colour}"/>`,
  ].join('\n');
}

const noData = `<text x="${width / 2}" y="${height / 2}" text-anchor="middle" dominant-baseline="central" font-family="system-ui, sans-serif" font-size="11" fill="${colours.level}">no data</text>`;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

// XML 1.0 cannot contain these characters in any form: https://www.w3.org/TR/xml/#charsets
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression matches control characters
const unfit = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** Escapes a text for an XML element or attribute. Characters that XML cannot contain become U+FFFD. */
function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(unfit, '\ufffd')
    .replace(/[&<>"']/g, (character) => entities[character] ?? '');
}
