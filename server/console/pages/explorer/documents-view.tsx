import { useState } from 'preact/hooks';
import { Confirm } from '../shell/confirm.tsx';
import type { HistoryEntry } from './draft.ts';
import { deleteDocument, type SavedDocument, saveDocument, savedDocuments } from './saved.ts';

interface DocumentsViewProps {
  readonly text: string;
  /** Why the document cannot be saved; absent when it can. */
  readonly unsavable: string | undefined;
  readonly listed: readonly SavedDocument[];
  readonly history: readonly HistoryEntry[];
  readonly open: (text: string, role?: string) => void;
  readonly onSignedOut: () => void;
}

const maxShown = 50;

/** Documents that were saved in this browser, those of the allow-list, and those that ran before. */
export function DocumentsView({ text, unsavable, listed, history, ...rest }: DocumentsViewProps) {
  const { open, onSignedOut } = rest;
  const [saved, setSaved] = useState(savedDocuments);
  const [filter, setFilter] = useState('');
  const [name, setName] = useState('');
  const save = (event: SubmitEvent) => {
    event.preventDefault();
    saveDocument({ name: name.trim(), text });
    setSaved(savedDocuments());
    setName('');
  };
  const [deleting, setDeleting] = useState<string>();
  const remove = async () => {
    deleteDocument(deleting ?? '');
    setSaved(savedDocuments());
  };
  const matching = (all: readonly SavedDocument[]) =>
    all.filter((one) => one.name.toLowerCase().includes(filter.toLowerCase()));
  return (
    <section class="documents" aria-labelledby="documents">
      <h2 id="documents">Saved operations</h2>
      <form class="filters" onSubmit={save}>
        <label>
          Save the operation as
          <input
            required
            maxLength={200}
            value={name}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        </label>
        <button type="submit" disabled={unsavable !== undefined}>
          Save in this browser
        </button>
        <label>
          Find
          <input
            type="search"
            value={filter}
            onInput={({ currentTarget }) => setFilter(currentTarget.value)}
          />
        </label>
      </form>
      {unsavable !== undefined && <p class="quiet">{unsavable}</p>}
      <Documents
        title="In this browser"
        documents={matching(saved)}
        open={open}
        remove={setDeleting}
      />
      <Documents title="In allow_list.yaml" documents={matching(listed)} open={open} />
      {history.length > 0 && (
        <>
          <h3>Run since the page was loaded</h3>
          <ul>
            {history.map((entry) => (
              <li key={entry.at.getTime()}>
                <button type="button" class="link" onClick={() => open(entry.text, entry.role)}>
                  {firstWords(entry.text)}
                </button>{' '}
                <span class="quiet">
                  as {entry.role} at {entry.at.toLocaleTimeString()}: {entry.words}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
      {deleting !== undefined && (
        <Confirm
          title={`Delete “${deleting}”?`}
          action="Delete the operation"
          act={remove}
          close={() => setDeleting(undefined)}
          onSignedOut={onSignedOut}
        >
          <p>This browser forgets the saved operation. This cannot be undone.</p>
        </Confirm>
      )}
    </section>
  );
}

interface DocumentsProps extends Pick<DocumentsViewProps, 'open'> {
  readonly title: string;
  readonly documents: readonly SavedDocument[];
  readonly remove?: (name: string) => void;
}

function Documents({ title, documents, open, remove }: DocumentsProps) {
  if (documents.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul>
        {documents.slice(0, maxShown).map(({ name, text }) => (
          <li key={name}>
            <button type="button" class="link" onClick={() => open(text)}>
              {name}
            </button>
            {remove && (
              <button type="button" class="link" onClick={() => remove(name)}>
                Delete<span class="hidden"> {name}</span>
              </button>
            )}
          </li>
        ))}
      </ul>
      {documents.length > maxShown && (
        <p class="quiet">{documents.length - maxShown} more; write a part of the name above.</p>
      )}
    </>
  );
}

function firstWords(text: string): string {
  const words = text.replaceAll(/#.*/g, '').replaceAll(/\s+/g, ' ').trim();
  return words.length > 60 ? `${words.slice(0, 60)}…` : words;
}
