import { type Brand, type Logo, textOn } from '../brand.ts';
import { lines } from './lines.ts';
import { html, type Markup, nothing } from './markup.ts';

/** The parts that every page of a brand has: a band at the top, a header and a footer. */
export interface BrandParts {
  readonly band: Markup;
  readonly header: Markup;
  readonly footer: Markup;
}

const cached = new WeakMap<Brand, BrandParts>();

/** Returns the parts of a brand. They are rendered once and cached, because a logo is large. */
export function brandParts(brand: Brand): BrandParts {
  const parts = cached.get(brand) ?? renderParts(brand);
  cached.set(brand, parts);
  return parts;
}

/**
 * Renders the parts of a brand. The colour of the brand is drawn as SVG instead of a CSS background. So all brands
 * share one style sheet, whose hash the Content-Security-Policy contains. Browsers print drawings, but omit
 * backgrounds.
 */
function renderParts(brand: Brand): BrandParts {
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

/** Renders the logo without a text alternative, because the name is printed beside it. */
function renderLogo({ contentType, data }: Logo): Markup {
  const source = `data:${contentType};base64,${Buffer.from(data).toString('base64')}`;
  return html`<img class="logo" alt="" src="${source}">`;
}

function renderName({ name, colour }: Brand): Markup {
  const [{ segment = '' } = {}] = new Intl.Segmenter().segment(name);
  return html`<p class="name"><svg aria-hidden="true" viewBox="0 0 40 40" width="40" height="40"><rect width="40" height="40" rx="8" fill="${colour}"/><text x="20" y="27.5" font-size="21" font-weight="600" text-anchor="middle" fill="${textOn(colour)}">${segment.toUpperCase()}</text></svg><span dir="auto">${name}</span></p>`;
}
