import { useState } from 'preact/hooks';
import type { FoundPeople } from '../api/answers.ts';
import { askServer } from '../api/ask-server.ts';
import { Failure } from '../shell/failure.tsx';
import { useAnswer } from '../shell/use-answer.ts';
import type { Subject } from './subject.ts';

interface PeopleSearchProps {
  readonly act: (subject: Subject) => void;
  readonly onSignedOut: () => void;
}

/** Finds a person whom the application registers, with the role and session variables of the person. */
export function PeopleSearch({ act, onSignedOut }: PeopleSearchProps) {
  const [search, setSearch] = useState('');
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setSearch(String(new FormData(event.currentTarget as HTMLFormElement).get('search')).trim());
  };
  const choose = (subject: Subject) => {
    setSearch('');
    act(subject);
  };
  return (
    <search>
      <form class="filters as-caller" onSubmit={submit}>
        <label>
          Or a person
          <input
            name="search"
            placeholder="name, e-mail or id"
            required
            maxLength={200}
            autoComplete="off"
          />
        </label>
        <button type="submit">Find people</button>
      </form>
      {search !== '' && <People {...{ search, onSignedOut }} act={choose} />}
    </search>
  );
}

function People({ search, act, onSignedOut }: PeopleSearchProps & { readonly search: string }) {
  const [asked, retry] = useAnswer(
    search,
    () => askServer<FoundPeople>('/admin/as/people', { search }),
    onSignedOut,
  );
  if (asked.state === 'waiting') return <p class="quiet">Finding people…</p>;
  if (asked.state === 'failed') return <Failure error={asked.error} retry={retry} />;
  const { people } = asked.answer;
  if (people.length === 0) {
    return <p role="status">Nobody with access matches “{search}”; write a shorter part.</p>;
  }
  return (
    <ul class="as-people" aria-label="People">
      {people.map(({ name, callers }) => (
        <li key={name}>
          {name}
          {callers.length === 0 && <span class="quiet"> has no role</span>}
          {callers.map(({ role, sessionVariables }) => (
            <button
              key={role}
              type="button"
              onClick={() => act({ role, variables: sessionVariables, person: name })}
            >
              as {role}
            </button>
          ))}
        </li>
      ))}
    </ul>
  );
}
