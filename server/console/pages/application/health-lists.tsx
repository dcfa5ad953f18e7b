import { useState } from 'preact/hooks';
import { askServer } from '../api/ask-server.ts';
import { Failure } from '../shell/failure.tsx';
import type { ScreenProps } from '../shell/screens.ts';
import { useAnswer } from '../shell/use-answer.ts';
import type { List, Sections } from './answers.ts';
import { RowTable } from './row-table.tsx';
import { useRows } from './use-rows.ts';

type HealthListsProps = Pick<ScreenProps, 'session' | 'onSignedOut'>;

/** The lists of the application that belong to the health of the server, such as refused callbacks. */
export function HealthLists({ session, onSignedOut }: HealthListsProps) {
  return session.sections.length === 0 ? null : <Lists onSignedOut={onSignedOut} />;
}

function Lists({ onSignedOut }: Pick<HealthListsProps, 'onSignedOut'>) {
  const [asked, retry] = useAnswer(
    'sections',
    () => askServer<Sections>('/console/sections'),
    onSignedOut,
  );
  if (asked.state === 'waiting') return null;
  if (asked.state === 'failed') return <Failure error={asked.error} retry={retry} />;
  return asked.answer.map(({ name, title, lists }) =>
    lists
      .filter(({ isForHealth }) => isForHealth)
      .map((list) => (
        <HealthList
          key={`${name}/${list.name}`}
          {...{ section: name, list, onSignedOut }}
          title={`${title}: ${list.title.toLowerCase()}`}
        />
      )),
  );
}

interface HealthListProps extends Pick<HealthListsProps, 'onSignedOut'> {
  readonly section: string;
  readonly list: List;
  readonly title: string;
}

/** Reading a list is recorded, so its rows wait until they are wanted. */
function HealthList({ section, list, title, onSignedOut }: HealthListProps) {
  const [isShown, setShown] = useState(false);
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <p class="quiet">{list.description}</p>
      {isShown ? (
        <HealthRows {...{ section, list, onSignedOut }} />
      ) : (
        <button type="button" onClick={() => setShown(true)}>
          Show
        </button>
      )}
    </section>
  );
}

function HealthRows({ section, list, onSignedOut }: Omit<HealthListProps, 'title'>) {
  const { rows, isWaiting, error, reload } = useRows({ section, list: list.name }, onSignedOut);
  return (
    <>
      <p>
        <button type="button" onClick={reload}>
          Read again
        </button>
      </p>
      {error !== undefined && <Failure error={error} retry={reload} />}
      {rows.length > 0 && <RowTable {...{ list, rows }} />}
      {!isWaiting && error === undefined && rows.length === 0 && <p role="status">{list.empty}</p>}
    </>
  );
}
