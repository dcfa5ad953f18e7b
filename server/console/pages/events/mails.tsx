import { askServer } from '../api/ask-server.ts';
import type { Mails as Answer, ListedMail, MailCounts } from '../api/work-answers.ts';
import { Failure } from '../shell/failure.tsx';
import { Link } from '../shell/link.tsx';
import type { ScreenProps } from '../shell/screens.ts';
import { usePages } from '../shell/use-pages.ts';
import { usePolled } from '../shell/use-polled.ts';
import { MailDetails } from './mail-details.tsx';
import { More } from './more.tsx';
import { counted, timeWords } from './words.ts';

const seconds = 30;
/** The states of mails in the words of the screen. */
const states = { waiting: 'waiting', sent: 'sent', failed: 'given up' } as const;

/** The mails of the outbox. Their list is personal, so it is loaded when the part is opened, and recorded. */
export function Mails(props: ScreenProps) {
  const ask = () => askServer<MailCounts>('/admin/mails/counts');
  const [asked, retry] = usePolled('', ask, seconds, props.onSignedOut);
  if (asked.state === 'waiting') return <p class="waiting">Counting the mails…</p>;
  if (asked.state === 'failed') return <Failure error={asked.error} retry={retry} />;
  const { hasMails, waiting, failed } = asked.answer;
  if (!hasMails) {
    return (
      <p role="status">
        This database has no outbox of mails. An application that sends mails makes it.
      </p>
    );
  }
  return (
    <>
      <p role="status">
        {counted(waiting, 'mail')} waiting, {failed.toLocaleString()} given up. Your looks at mails
        are recorded, because recipients and subjects are personal.
      </p>
      <MailList {...props} onChanged={retry} />
    </>
  );
}

function MailList({ onChanged, ...props }: ScreenProps & { readonly onChanged: () => void }) {
  const { place, go, onSignedOut } = props;
  const { mailState: state = '', mail } = place.values;
  const set = (changed: Readonly<Record<string, string | undefined>>) =>
    go({ screen: 'events', values: { ...place.values, ...changed } }, 'replace');
  const load = async (before: string | undefined) => {
    const { mails, next } = await askServer<Answer>('/admin/mails', {
      ...{ before, ...(state !== '' && { state }) },
    });
    return { items: mails, next };
  };
  const pages = usePages(state, load, onSignedOut);
  const close = () => {
    set({ mail: undefined });
    document.getElementById(`mail-${mail}`)?.focus();
  };
  const reload = () => {
    pages.reload();
    onChanged();
  };
  return (
    <>
      <form class="filters" aria-label="Filters" onSubmit={(event) => event.preventDefault()}>
        <label>
          State
          <select
            value={state}
            onChange={({ currentTarget }) =>
              set({ mailState: currentTarget.value, mail: undefined })
            }
          >
            <option value="">all</option>
            {Object.entries(states).map(([name, words]) => (
              <option key={name} value={name}>
                {words}
              </option>
            ))}
          </select>
        </label>
      </form>
      <div class={mail ? 'beside' : ''}>
        <div>
          {pages.items.length > 0 && <MailTable mails={pages.items} {...{ place, go }} />}
          <More pages={pages} empty="There is no such mail." />
        </div>
        {mail && <MailDetails key={mail} {...props} id={mail} {...{ close, reload }} />}
      </div>
    </>
  );
}

interface TableProps extends Pick<ScreenProps, 'place' | 'go'> {
  readonly mails: readonly ListedMail[];
}

function MailTable({ mails, place, go }: TableProps) {
  const { values } = place;
  return (
    <div class="scroll">
      <table class="work">
        <caption class="hidden">Mails, the newest first</caption>
        <thead>
          <tr>
            <th scope="col">Subject</th>
            <th scope="col">State</th>
            <th scope="col" class="less">
              Recipient
            </th>
            <th scope="col">Written</th>
            <th scope="col" class="less">
              Tries
            </th>
          </tr>
        </thead>
        <tbody>
          {mails.map(({ id, subject, recipient, state, createdAt, attempts }) => (
            <tr key={id} class={id === values.mail ? 'chosen' : ''}>
              <th scope="row">
                <Link
                  id={`mail-${id}`}
                  place={{ screen: 'events', values: { ...values, mail: id } }}
                  go={go}
                  isCurrent={id === values.mail}
                >
                  {subject === '' ? '(no subject)' : subject}
                </Link>
              </th>
              <td>{states[state]}</td>
              <td class="less long">{recipient}</td>
              <td>{timeWords(createdAt)}</td>
              <td class="less">{attempts}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
