/// <reference lib="dom" />

/**
 * Names the parts of the search for screen readers. The theme marks the whole dialog as a button and each result as an
 * option that contains a link, which assistive technology cannot announce.
 */
export function nameSearchParts(): void {
  new MutationObserver(() => {
    const dialog = document.querySelector('.VPLocalSearchBox');
    if (!dialog) return;
    change(dialog, { role: 'dialog', 'aria-modal': 'true', 'aria-label': 'Search' });
    drop(dialog, ['aria-expanded', 'aria-haspopup', 'aria-owns', 'aria-labelledby']);
    for (const list of dialog.querySelectorAll('[role=listbox]')) {
      drop(list, ['role', 'aria-labelledby']);
    }
    for (const item of dialog.querySelectorAll('[role=option], li[aria-selected]')) {
      drop(item, ['role', 'aria-selected']);
    }
    for (const labelled of dialog.querySelectorAll('a.result, kbd')) drop(labelled, ['aria-label']);
  }).observe(document.documentElement, {
    childList: true,
    subtree: true,
    attributeFilter: ['aria-selected', 'aria-owns'],
  });
}

function change(element: Element, attributes: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
}

function drop(element: Element, attributes: readonly string[]): void {
  for (const name of attributes) element.removeAttribute(name);
}
