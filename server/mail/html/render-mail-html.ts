import type { Brand } from '../../rendering/brand.ts';
import { directionOf } from '../../rendering/html/direction.ts';
import { html, type Markup } from '../../rendering/html/markup.ts';
import { renderContent, renderPage } from '../../rendering/html/page.ts';
import type { PrintedDocument } from '../../rendering/model.ts';
import { logoId } from '../compose-mail.ts';
import { withLineBreaks } from './line-breaks.ts';
import { mailSkin } from './mail-skin.ts';
import { styles, stylesheet } from './styles.ts';

const metas = {
  'color-scheme': 'light dark',
  'supported-color-schemes': 'light dark',
  'format-detection': 'telephone=no, date=no, address=no, email=no',
};
const body = html` class="page" style="${styles.body}"`;

/** Renders a document as the HTML of a mail, for light and dark screens. The page loads nothing from any server. */
export function renderMailHtml(document: PrintedDocument, brand: Brand): string {
  const { language, title } = document;
  return renderPage(
    { document, metas, stylesheet, body },
    html`<div role="article" aria-label="${title}" lang="${language}" dir="${directionOf(language)}">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0" style="${styles.page}"><tr><td class="outer" align="center" style="padding:24px 12px">
<table role="presentation" class="card" width="600" cellpadding="0" cellspacing="0" border="0" style="${styles.card}">
<tr><td class="band" bgcolor="${brand.colour}" style="${styles.band};background:${brand.colour}">&nbsp;</td></tr>
<tr><td class="pad" style="${styles.pad};padding-bottom:0">${renderName(brand)}</td></tr>
<tr><td class="pad" style="${styles.pad}">
${renderContent(document, mailSkin(brand))}
</td></tr>
<tr><td class="pad line" style="${styles.pad};border-top:1px solid #d5dade"><p class="soft" dir="auto" style="${styles.footer}">${footerOf(brand)}</p></td></tr>
</table>
</td></tr></table>
</div>`,
  );
}

function renderName({ name, logo }: Brand): Markup {
  const picture = html`<img src="cid:${logoId}" alt="${name}" height="40" style="display:block;height:40px;max-width:240px;border:0">`;
  return logo ? picture : html`<p class="ink" dir="auto" style="${styles.name}">${name}</p>`;
}

function footerOf({ name, address, footer = '' }: Brand): Markup {
  return withLineBreaks([name, ...address, footer].filter((line) => line !== '').join('\n'));
}
