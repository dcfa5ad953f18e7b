import type { Difference } from '../api/change-answers.ts';

type Change = Difference['changes'][number];
type Witness = NonNullable<NonNullable<Change['rows']>['gained']>;

const titles: Readonly<Record<Change['class'], string>> = {
  dangerous: 'Dangerous: existing access widens, or may widen',
  review: 'Review: new access, and changes that need a look',
  breaking: 'Breaking for clients: less access, or lower limits',
  safe: 'Safe: the same access as before',
};

/** What drafts change for whom, the heaviest first. */
export function DifferenceList({ difference }: { readonly difference: Difference }) {
  const { summary, changes } = difference;
  if (changes.length === 0) return <p role="status">The meaning of the rules is the same.</p>;
  const classes = (Object.keys(titles) as Change['class'][]).map((name) => ({
    name,
    found: changes.filter((one) => one.class === name),
  }));
  return (
    <>
      <p role="status">
        <strong>{summary}</strong>
      </p>
      {classes
        .filter(({ found }) => found.length > 0)
        .map(({ name, found }) => (
          <section key={name} class={`changes ${name}`} aria-label={titles[name]}>
            <h3>{titles[name]}</h3>
            <ul>
              {found.map((change) => (
                <ChangeItem key={change.sentence} change={change} />
              ))}
            </ul>
          </section>
        ))}
    </>
  );
}

function ChangeItem({ change }: { readonly change: Change }) {
  const { sentence, details, inheritedBy, undecided, rows, evidence } = change;
  return (
    <li>
      {sentence}
      {undecided && <strong> — undecided: read both conditions as a widening</strong>}
      {details.map((line) => (
        <p key={line} class="quiet">
          {line}
        </p>
      ))}
      {inheritedBy.length > 0 && <p class="quiet">The same for {inheritedBy.join(', ')}.</p>}
      {evidence?.gained && <CountLine label="Existing rows gained" count={evidence.gained} />}
      {evidence?.lost && <CountLine label="Existing rows lost" count={evidence.lost} />}
      {rows?.gained && <Example label="A row that is gained" witness={rows.gained} />}
      {rows?.lost && <Example label="A row that is lost" witness={rows.lost} />}
    </li>
  );
}

type Count = NonNullable<NonNullable<Change['evidence']>['gained']>;

function CountLine({ label, count }: { readonly label: string; readonly count: Count }) {
  const { rows, total, isAtLeast, cutOff } = count;
  const words =
    rows === undefined
      ? `not counted: ${cutOff ?? 'the reason is unknown'}`
      : `${isAtLeast ? 'at least ' : ''}${rows} of ${total ?? rows}`;
  return (
    <p>
      {label}: <strong>{words}</strong>
      {rows !== undefined &&
        isAtLeast &&
        ', for all callers of the role together; for one caller it may be more'}
    </p>
  );
}

/** An invented row. It is no row of the database. */
function Example({ label, witness }: { readonly label: string; readonly witness: Witness }) {
  const { table, row, related, variables } = witness;
  const cells = (one: Witness['row']) =>
    Object.entries(one).map(([name, value]) => `${name}: ${value ?? 'null'}`);
  const lines = [
    `${table} { ${cells(row).join(', ')} }`,
    ...related.map((one) => `with ${one.table} { ${cells(one.row).join(', ')} }`),
    ...Object.entries(variables).map(([name, value]) => `if ${name} is ${value}`),
  ];
  return (
    <details>
      <summary>{label}, for example (invented)</summary>
      <pre>{lines.join('\n')}</pre>
    </details>
  );
}
