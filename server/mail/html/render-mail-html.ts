import type { Brand } from '../../rendering/brand.ts';
import { directionOf } from '../../rendering/html/direction.ts';
import { html, Markup, nothing } from '../../rendering/html/markup.ts';
import type { DocumentStatus, Party, PrintedDocument } from '../../rendering/model.ts';
import { logoId } from '../logo-id.ts';
import { renderMailBlocks } from './blocks.ts';
import { broken } from './broken.ts';
import { styles, stylesheet, tones } from './styles.ts';

const style = new Markup(`<style>${stylesheet}</style>`);

/** A page that mail programs show: laid out by tables, asking nobody for anything, for light and dark screens. */
export function renderMailHtml(document: PrintedDocument, brand: Brand): string {
  const { language, title, heading } = document;
  const direction = directionOf(language);
  return html`<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
${style}
</head>
<body class="page" style="${styles.body}">
<div role="article" aria-label="${title}" lang="${language}" dir="${direction}">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0" style="${styles.page}"><tr><td class="outer" align="center" style="padding:24px 12px">
<table role="presentation" class="card" width="600" cellpadding="0" cellspacing="0" border="0" style="${styles.card}">
<tr><td class="band" bgcolor="${brand.colour}" style="${styles.band};background:${brand.colour}">&nbsp;</td></tr>
<tr><td class="pad" style="${styles.pad};padding-bottom:0">${renderName(brand)}</td></tr>
<tr><td class="pad" style="${styles.pad}">
<h1 class="ink" dir="auto" style="${styles.h1}">${heading || title}</h1>
${renderStatus(document.status)}
${document.parties.map(renderParty)}
${renderMailBlocks(document.blocks, brand)}
</td></tr>
<tr><td class="pad line" style="${styles.pad};border-top:1px solid #d5dade"><p class="soft" dir="auto" style="${styles.footer}">${footerOf(brand)}</p></td></tr>
</table>
</td></tr></table>
</div>
</body>
</html>
`.text;
}

function renderName({ name, logo }: Brand): Markup {
  const picture = html`<img src="cid:${logoId}" alt="${name}" height="40" style="display:block;height:40px;max-width:240px;border:0">`;
  return logo ? picture : html`<p class="ink" dir="auto" style="${styles.name}">${name}</p>`;
}

function footerOf({ name, address, footer = '' }: Brand): Markup {
  return broken([name, ...address, footer].filter((line) => line !== '').join('\n'));
}

function renderStatus(status: DocumentStatus | undefined): Markup {
  if (!status?.text) return nothing;
  return html`<p dir="auto" style="${styles.status};${tones[status.tone]}">${status.text}</p>`;
}

function renderParty({ label, lines }: Party): Markup {
  const shown = lines.filter((line) => line !== '').join('\n');
  if (shown === '') return nothing;
  const head =
    label === '' ? nothing : html`<p class="soft" dir="auto" style="${styles.label}">${label}</p>`;
  return html`${head}<p class="ink" dir="auto" style="${styles.party}">${broken(shown)}</p>
`;
}
