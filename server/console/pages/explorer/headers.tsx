import type { RoleSchema } from '../api/answers.ts';
import { headerPrefix } from '../api/ask-server.ts';
import type { Draft } from './draft.ts';

interface HeadersProps {
  readonly variables: RoleSchema['variables'];
  readonly draft: Draft;
  readonly change: (changed: Partial<Draft>) => void;
}

/** Fields for the session variables of the caller, first those that the role requires, and for other headers. */
export function HeadersForm({ variables, draft, change }: HeadersProps) {
  const { headers, others } = draft;
  const field = ({ header, isRequired }: RoleSchema['variables'][number]) => (
    <label key={header}>
      {capitalized(header)}
      {isRequired && ' (required)'}
      <input
        value={headers[header] ?? ''}
        autocomplete="off"
        onInput={({ currentTarget }) =>
          change({ headers: { ...headers, [header]: currentTarget.value } })
        }
      />
    </label>
  );
  const [required, optional] = [true, false].map((one) =>
    variables.filter(({ isRequired }) => isRequired === one),
  );
  return (
    <section aria-labelledby="headers">
      <h2 id="headers">Session variables</h2>
      {required?.length === 0 ? (
        <p class="quiet">The role requires none.</p>
      ) : (
        <form class="filters" onSubmit={(event) => event.preventDefault()}>
          {required?.map(field)}
        </form>
      )}
      <details>
        <summary>Optional session variables, and other headers</summary>
        <form class="filters" onSubmit={(event) => event.preventDefault()}>
          {optional?.map(field)}
          <label class="wide">
            Other headers, one a line, such as {headerPrefix}Use-Backend-Only-Permissions: true
            <textarea
              rows={3}
              value={others}
              onInput={({ currentTarget }) => change({ others: currentTarget.value })}
            />
          </label>
        </form>
      </details>
    </section>
  );
}

/** Reads other headers. @throws Error that says what is wrong */
export function parseHeaders(others: string): Draft['headers'] {
  const lines = others.split('\n').filter((line) => line.trim() !== '');
  return Object.fromEntries(lines.map(parseLine));
}

function parseLine(line: string): readonly [string, string] {
  const [, name = '', value = ''] = /^\s*([\w-]+)\s*:(.*)$/.exec(line) ?? [];
  if (name === '') throw new Error(`“${line}” is no header; write Name: value`);
  if (/-admin-secret$|^x-rowgate-actor$|-role$/i.test(name)) {
    throw new Error(`leave out ${name}; the session and the field “Role” say who asks`);
  }
  return [name, value.trim()];
}

/** Returns the usual spelling of a header. */
function capitalized(header: string): string {
  return header.replaceAll(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
}
