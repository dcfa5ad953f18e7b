import { type Brand, type Logo, textOn } from '../brand.ts';
import { lines } from './lines.ts';
import { html, type Markup, nothing } from './markup.ts';

/** What every page of a brand has: a band at its top, a header and a footer. */
export interface BrandParts {
  readonly band: Markup;
  readonly header: Markup;
  readonly footer: Markup;
}

const known = new WeakMap<Brand, BrandParts>();

/** Made once for each brand, since a logo is long. */
export function brandOf(brand: Brand): BrandParts {
  const made = known.get(brand) ?? makeParts(brand);
  known.set(brand, made);
  return made;
}

/**
 * The colour is in drawings: those need no style sheet of the brand's own, which the pages' policy would have to name,
 * and they are printed where browsers leave backgrounds out.
 */
function makeParts(brand: Brand): BrandParts {
  const { name, colour, logo, address, footer = '' } = brand;
  const withName = logo ? [name, ...address] : address;
  return {
    band: html`<svg class="band" aria-hidden="true" width="100%" height="6"><rect width="100%" height="100%" fill="${colour}"/></svg>`,
    header: html`<header>
${logo ? renderLogo(logo) : renderName(brand)}
${withName.length > 0 ? html`<address>${lines(withName)}</address>` : nothing}
</header>`,
    footer: html`<footer>${lines([name, footer])}</footer>`,
  };
}

/** The name stands beside it as text. */
function renderLogo({ contentType, data }: Logo): Markup {
  const source = `data:${contentType};base64,${Buffer.from(data).toString('base64')}`;
  return html`<img class="logo" alt="" src="${source}">`;
}

function renderName({ name, colour }: Brand): Markup {
  const [{ segment = '' } = {}] = new Intl.Segmenter().segment(name);
  return html`<p class="name"><svg aria-hidden="true" viewBox="0 0 40 40" width="40" height="40"><rect width="40" height="40" rx="8" fill="${colour}"/><text x="20" y="27.5" font-size="21" font-weight="600" text-anchor="middle" fill="${textOn(colour)}">${segment.toUpperCase()}</text></svg><span dir="auto">${name}</span></p>`;
}
