/** The style sheet of the page. The Content-Security-Policy of the page contains its hash. */
export const pageStyle = `
:root { color-scheme: light dark; --ink: light-dark(#1b1f23, #e6e9ec); --soft: light-dark(#545c65, #a5adb6);
  --line: light-dark(#d5dade, #3a4149); --back: light-dark(#fff, #15181b); --faint: light-dark(#f4f6f7, #1e2226);
  --mark: light-dark(#0b5cad, #79b8ff) }
* { box-sizing: border-box }
body { margin: 0; color: var(--ink); background: var(--back);
  font: 0.9375rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif }
header, main { padding: 1rem 1.5rem }
header { padding-bottom: 0 }
h1 { margin: 0 0 0.75rem; font-size: 1.5rem }
h2 { margin: 0 0 0.5rem; font-size: 1.125rem }
form { display: flex; flex-wrap: wrap; gap: 0.75rem 1.5rem }
label { display: grid; gap: 0.25rem; color: var(--soft); font-size: 0.8125rem }
input, select { font: inherit; color: var(--ink); background: var(--back); border: 1px solid var(--soft);
  border-radius: 4px; padding: 0.375rem 0.5rem; min-width: 11rem; max-width: 100% }
#legend { color: var(--soft); font-size: 0.8125rem; margin: 0.75rem 0 0 }
main { display: grid; grid-template-columns: minmax(0, 1fr) 24rem; gap: 1rem; align-items: start }
#answer { border: 1px solid var(--line); border-radius: 6px; background: var(--faint); padding: 1rem;
  max-height: 75vh; overflow: auto; overflow-wrap: anywhere }
#answer > :last-child { margin-bottom: 0 }
#answer p { margin: 0 }
#answer dl { margin: 0 }
#answer dt { font-weight: 600 }
#answer dd { margin: 0 0 0.75rem }
#answer dd ul { margin: 0; padding-left: 1.25rem }
#grid { overflow: auto; max-height: 75vh; border: 1px solid var(--line); border-radius: 6px }
table { border-collapse: separate; border-spacing: 0; font-size: 0.875rem }
th, td { border-bottom: 1px solid var(--line); padding: 0.25rem 0.625rem; text-align: left; white-space: nowrap }
thead th { position: sticky; top: 0; background: var(--faint); z-index: 1; vertical-align: bottom }
tbody th { position: sticky; left: 0; background: var(--back); font-weight: 400 }
thead th:first-child { left: 0; z-index: 2 }
thead small { display: block; color: var(--soft); font-weight: 400; white-space: normal }
button { font: 0.875rem ui-monospace, Menlo, Consolas, monospace; color: var(--mark); background: none; border: 0;
  padding: 0.25rem; min-width: 1.5rem; min-height: 1.5rem; cursor: pointer; border-radius: 3px }
button:hover, button[aria-pressed=true] { text-decoration: underline; background: var(--faint) }
:focus-visible { outline: 2px solid var(--mark); outline-offset: 1px }
p.none { color: var(--soft); padding: 0 1rem }
@media (max-width: 64rem) { main { grid-template-columns: minmax(0, 1fr) } #answer { max-height: 40vh; order: -1 } }
@media (max-width: 40rem) { header, main { padding-inline: 0.75rem } }
`;
