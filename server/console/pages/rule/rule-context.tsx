import { useMemo } from 'preact/hooks';
import { askServer } from '../api/ask-server.ts';
import type { RuleContext, RuleFile } from '../api/change-answers.ts';
import { CodeEditor } from '../editor/code-editor.tsx';
import { Failure } from '../shell/failure.tsx';
import { Link } from '../shell/link.tsx';
import type { ScreenProps } from '../shell/screens.ts';
import { useAnswer } from '../shell/use-answer.ts';
import { Findings } from '../words/findings.tsx';
import { shownLine } from '../yaml/shown-line.ts';
import { yamlOf } from '../yaml/yaml-language.ts';
import { RuleCost } from './rule-cost.tsx';

interface AroundRuleProps extends ScreenProps {
  readonly role: string;
  readonly table: string;
  readonly operation: string;
}

type Found = Extract<RuleContext, { readonly kind: 'found' }>;

/** What stands around a rule in the files: its YAML, findings, tests, cost and dependents. */
export function AroundRule(props: AroundRuleProps) {
  const { role, table, operation, onSignedOut } = props;
  const query = new URLSearchParams({ role, table, operation });
  const path = `/admin/metadata/rule?${query}`;
  const [asked, retry] = useAnswer(path, () => askServer<RuleContext>(path), onSignedOut);
  if (asked.state === 'waiting') return <p class="waiting">Reading the files…</p>;
  if (asked.state === 'failed') return <Failure error={asked.error} retry={retry} />;
  if (asked.answer.kind === 'mistaken') {
    return (
      <section class="card" aria-labelledby="mistakes">
        <h2 id="mistakes">The files have mistakes</h2>
        <p>The rules that are served stay the same until they are corrected and applied.</p>
        <Findings findings={asked.answer.mistakes} />
      </section>
    );
  }
  const found = asked.answer;
  return (
    <>
      <Yaml {...props} key={found.place.file} found={found} />
      {found.query !== undefined && <RuleCost key={path} {...{ role, found, onSignedOut }} />}
      <section class="card" aria-labelledby="findings">
        <h2 id="findings">Findings in its file</h2>
        {found.findings.length === 0 ? <p>None.</p> : <Findings findings={found.findings} />}
        <p class="quiet">
          Without those that need the database; <code>rowgate check</code> lists all.
        </p>
      </section>
      <Tests tests={found.tests} />
      <Dependents {...props} dependents={found.dependents} />
    </>
  );
}

function Yaml({ found, table, go, ...props }: AroundRuleProps & { readonly found: Found }) {
  const { file, line } = found.place;
  const { matrix, onSignedOut } = props;
  const path = `/admin/metadata/file?file=${encodeURIComponent(file)}`;
  const [asked, retry] = useAnswer(path, () => askServer<RuleFile>(path), onSignedOut);
  const opened = asked.state === 'answered' ? asked.answer : undefined;
  const extensions = useMemo(
    () => (opened ? [...yamlOf({ file: opened, matrix, table }), shownLine(line)] : []),
    [opened, matrix, table, line],
  );
  return (
    <section class="rule-yaml" aria-labelledby="yaml">
      <h2 id="yaml">In YAML</h2>
      {asked.state === 'failed' && <Failure error={asked.error} retry={retry} />}
      {opened && (
        <CodeEditor
          label={`YAML of ${file}`}
          value={opened.text}
          extensions={extensions}
          isReadOnly
        />
      )}
      <p>
        <Link go={go} place={{ screen: 'change', values: { file, line: String(line) } }}>
          Change {file}
        </Link>
      </p>
    </section>
  );
}

function Tests({ tests }: Pick<Found, 'tests'>) {
  return (
    <section class="card" aria-labelledby="tests">
      <h2 id="tests">Tests that cover it</h2>
      {tests.length === 0 && (
        <p>
          None. Nobody would notice a change of this rule; <code>rowgate test --coverage</code>{' '}
          lists all such rules.
        </p>
      )}
      <ul>
        {tests.map(({ title, as, file, line }) => (
          <li key={`${file} ${line} ${as}`}>
            {title}{' '}
            <span class="quiet">
              (as {as}, {file}:{line})
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

type DependentsProps = Pick<ScreenProps, 'go'> & Pick<Found, 'dependents'>;

function Dependents({ go, dependents }: DependentsProps) {
  const groups = [
    { on: 'rule', title: 'Changes with this rule' },
    { on: 'table', title: 'Reads the table, whatever this rule' },
  ] as const;
  return (
    <section class="card" aria-labelledby="dependents">
      <h2 id="dependents">What depends on it</h2>
      {dependents.length === 0 && <p>Nothing else in the metadata.</p>}
      {groups.map(({ on, title }) => {
        const found = dependents.filter((one) => one.on === on);
        if (found.length === 0) return null;
        return (
          <section key={on} class="dependents" aria-label={title}>
            <h3>{title}</h3>
            <ul>
              {found.map(({ words, rule }) => (
                <li key={words}>
                  {rule ? (
                    <Link go={go} place={{ screen: 'rule', values: rule }}>
                      {words}
                    </Link>
                  ) : (
                    words
                  )}
                </li>
              ))}
            </ul>
          </section>
        );
      })}
    </section>
  );
}
