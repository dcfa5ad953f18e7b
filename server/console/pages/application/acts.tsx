import { useState } from 'preact/hooks';
import type { Session } from '../api/answers.ts';
import { askServer, ServerError } from '../api/ask-server.ts';
import { ActButton } from '../shell/act-button.tsx';
import { Confirm } from '../shell/confirm.tsx';
import { Failure } from '../shell/failure.tsx';
import type { Act, ActAnswer, ActWords, ListName } from './answers.ts';

interface ActsProps {
  readonly named: ListName;
  readonly acts: readonly Act[];
  /** The keys of the chosen rows. */
  readonly keys: readonly string[];
  readonly session: Session;
  readonly onSignedOut: () => void;
  readonly onDone: (words: string) => void;
}

/** An act whose words the admin is asked to confirm. */
interface Asked {
  readonly act: Act;
  readonly body: object;
  readonly words: ActWords;
}

/** The acts on chosen rows. The server computes the words of what will happen, and does nothing else. */
export function Acts({ named, acts, keys, session, onSignedOut, onDone }: ActsProps) {
  const [choices, setChoices] = useState<Readonly<Record<string, string>>>({});
  const [asked, setAsked] = useState<Asked>();
  const [error, setError] = useState<unknown>();
  const [hint, setHint] = useState('');
  const ask = async (act: Act) => {
    setError(undefined);
    setHint(hintFor(act, keys, choices));
    if (hintFor(act, keys, choices) !== '') return;
    const choice = act.choice && choices[act.choice.title];
    const body = { ...named, act: act.name, keys, choice };
    try {
      const words = await askServer<ActWords>('/console/sections/words', body);
      setAsked({ act, body, words });
    } catch (failure) {
      if (failure instanceof ServerError && failure.status === 401) onSignedOut();
      else setError(failure);
    }
  };
  const run = async ({ body, words }: Asked) => {
    const confirmed = { ...body, confirmed: words };
    onDone((await askServer<ActAnswer>('/console/sections/act', confirmed)).done);
  };
  return (
    <>
      <fieldset class="acts-on-rows">
        <legend class="hidden">Acts on the chosen rows</legend>
        <span class="quiet">{keys.length} chosen</span>
        {choicesOf(acts).map(({ title, names }) => (
          <label key={title}>
            <span class="hidden">{title}</span>
            <select
              value={choices[title] ?? ''}
              onChange={({ currentTarget: { value } }) =>
                setChoices({ ...choices, [title]: value })
              }
            >
              <option value="">{title}…</option>
              {names.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </label>
        ))}
        {acts.map((act) => (
          <ActButton key={act.name} session={session} onClick={() => ask(act)}>
            {act.title}
          </ActButton>
        ))}
      </fieldset>
      {hint !== '' && (
        <p class="problem" role="alert">
          {hint}
        </p>
      )}
      {error !== undefined && <Failure error={error} retry={() => setError(undefined)} />}
      {asked && (
        <Confirm
          title={asked.words.question}
          action={asked.act.title}
          act={() => run(asked)}
          close={() => setAsked(undefined)}
          onSignedOut={onSignedOut}
        >
          {asked.words.lines.map((line) => (
            <p key={line}>{line}</p>
          ))}
        </Confirm>
      )}
    </>
  );
}

/** Returns what has to be chosen first; empty when nothing is missing. */
function hintFor(
  { choice }: Act,
  keys: readonly string[],
  choices: Readonly<Record<string, string>>,
): string {
  if (keys.length === 0) return 'Choose one or more rows of the list first.';
  return choice && !choices[choice.title] ? `Choose under “${choice.title}” first.` : '';
}

/** Several acts may have the same choice, which is shown once. */
function choicesOf(acts: readonly Act[]) {
  const all = acts.flatMap(({ choice }) => choice ?? []);
  return all.filter(({ title }, at) => all.findIndex((one) => one.title === title) === at);
}
