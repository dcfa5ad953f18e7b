import { type Brand, textOn } from '../../rendering/brand.ts';
import { html, type Markup, nothing } from '../../rendering/html/markup.ts';
import type { ColumnSkin, Skin } from '../../rendering/html/skin.ts';
import type { Column, Facts, Link, Notice, Party } from '../../rendering/model.ts';
import { withLineBreaks } from './line-breaks.ts';
import { styles, tones } from './styles.ts';

/**
 * Alignment as CSS, each with a physical side before the logical one, because mail programs without support for `start`
 * and `end` use the physical side.
 */
const sides = {
  start: 'text-align:left;text-align:start',
  end: 'text-align:right;text-align:end',
} as const;

/** Makes the skin of mails, with style attributes, layout tables and `<br>` elements. */
export function mailSkin(brand: Brand): Skin {
  return {
    text: withLineBreaks,
    attributes: {
      heading: { 1: ink(styles.h1), 2: ink(styles.h2), 3: ink(styles.h3) },
      paragraph: ink(styles.text),
      list: html` class="ink" style="${styles.list}"`,
      listItem: html` style="margin:0 0 4px"`,
      status: (tone) => html` dir="auto" style="${styles.status};${tones[tone]}"`,
    },
    top: (content) => content,
    parties: (parties) => html`${parties.map(renderParty)}`,
    facts: renderFacts,
    notice: renderNotice,
    link: (link) => renderButton(link, brand),
    signatures: (parties) =>
      html`${parties.map((party) => html`<p class="ink line" dir="auto" style="${styles.signature}">${party}</p>`)}`,
    table: {
      table: () => html` cellpadding="0" cellspacing="0" border="0" style="${styles.table}"`,
      caption: ink(styles.caption),
      widths: () => nothing,
      group: nothing,
      row: nothing,
      column: columnSkin,
      total: ({ strong }, span) => {
        const style = html`dir="auto" style="${strong ? styles.strong : styles.total}"`;
        return {
          row: nothing,
          label: html` scope="row" colspan="${span}" class="ink cell" ${style}`,
          value: html` class="ink cell last" ${style}`,
        };
      },
    },
  };
}

function ink(style: string): Markup {
  return html` class="ink" dir="auto" style="${style}"`;
}

function renderParty({ label, lines }: Party): Markup {
  const head =
    label === '' ? nothing : html`<p class="soft" dir="auto" style="${styles.label}">${label}</p>`;
  return html`${head}<p${ink(styles.party)}>${withLineBreaks(lines.join('\n'))}</p>
`;
}

function renderFacts(items: Facts['items']): Markup {
  const rows = items.map(
    ({ term, value }) =>
      html`<tr><th scope="row" class="soft line" dir="auto" width="35%" style="${styles.term}">${term}</th><td class="ink line" dir="auto" style="${styles.value}">${withLineBreaks(value)}</td></tr>
`,
  );
  return html`<table cellpadding="0" cellspacing="0" border="0" style="${styles.table}">
${rows}</table>
`;
}

function renderNotice({ title, text }: Notice): Markup {
  const head = title === '' ? nothing : html`<strong>${title}</strong>`;
  const between = title === '' || text === '' ? nothing : html`<br>`;
  return html`<p class="notice" dir="auto" style="${styles.notice}">${head}${between}${withLineBreaks(text)}</p>
`;
}

function renderButton({ text, url }: Link, { colour }: Brand): Markup {
  return html`<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 24px"><tr><td bgcolor="${colour}" style="border-radius:6px;background:${colour}"><a href="${url}" target="_blank" rel="noopener" dir="auto" style="${styles.button};background:${colour};color:${textOn(colour)}">${text}</a></td></tr></table>
`;
}

function columnSkin({ title, align }: Column, index: number, count: number): ColumnSkin {
  // Classes that the style sheet uses on narrow screens. On these screens the first and the last cell lose their outer
  // padding, and words other than numbers may break.
  const place = `${index === 0 ? ' first' : ''}${index === count - 1 ? ' last' : ''}`;
  const classes = `line cell${place}${align === 'start' ? ' wide' : ''}`;
  const side = sides[align];
  const head = html` class="soft ${classes}" style="${styles.head};${side}"`;
  const cell = html` class="ink ${classes}" dir="auto" style="${styles.cell};${side}"`;
  return {
    head: title === '' ? head : html` scope="col" dir="auto"${head}`,
    rowHeader: () => html` scope="row"${cell}`,
    cell: () => cell,
  };
}
