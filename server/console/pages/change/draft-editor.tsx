import { useMemo, useState } from 'preact/hooks';
import { askServer } from '../api/ask-server.ts';
import type { RuleFile, WrittenFile } from '../api/change-answers.ts';
import { CodeEditor } from '../editor/code-editor.tsx';
import type { Problem } from '../editor/open-editor.ts';
import { ActButton, ReadOnlyNote } from '../shell/act-button.tsx';
import { Confirm } from '../shell/confirm.tsx';
import type { ScreenProps } from '../shell/screens.ts';
import { shownLine } from '../yaml/shown-line.ts';
import { yamlOf } from '../yaml/yaml-language.ts';
import { dropDraft, keepDraft, useDrafts } from './draft-store.ts';
import { download, patchOf } from './patch.ts';

interface DraftEditorProps extends ScreenProps {
  readonly file: string;
  readonly table?: string | undefined;
  readonly opened: RuleFile;
  readonly problems: readonly Problem[];
  readonly onWritten: (written: Pick<RuleFile, 'text' | 'digest'>) => void;
}

/** The editor of one file, and what can be done with its draft. */
export function DraftEditor(props: DraftEditorProps) {
  const { file, table, opened, problems, onWritten, place, matrix, session, onSignedOut } = props;
  const drafts = useDrafts();
  const [asking, setAsking] = useState<'write' | 'discard'>();
  const draft = drafts.find((one) => one.file === file);
  const line = Number(place.values.line);
  const extensions = useMemo(
    () => [...yamlOf({ file: opened, matrix, table }), line > 0 ? shownLine(line) : []],
    [opened, matrix, table, line],
  );
  const keep = (value: string) => {
    // Editors end lines by LF alone. A file that has CRLF keeps it.
    const text = opened.text.includes('\r\n') ? value.replaceAll('\n', '\r\n') : value;
    keepDraft({ file, opened: draft?.opened ?? opened, text });
  };
  const write = async () => {
    if (!draft) return;
    const { text, opened: before } = draft;
    const body = { file, text, digest: before.digest };
    const { digest } = await askServer<WrittenFile>('/admin/metadata/write', body);
    onWritten({ text, digest });
    dropDraft(file);
  };
  return (
    <section aria-label={file}>
      <CodeEditor
        label={`YAML of ${file}`}
        value={draft?.text ?? opened.text}
        onChange={keep}
        extensions={extensions}
        problems={problems}
      />
      <p class="quiet">Ctrl-Space completes. Tab leaves the editor; Ctrl-M lets Tab indent.</p>
      <p class="acts">
        <button
          type="button"
          disabled={drafts.length === 0}
          onClick={() => download('rules.patch', patchOf(drafts))}
        >
          Download {drafts.length > 1 ? `a patch of ${drafts.length} files` : 'a patch'}
        </button>
        {draft && (
          <>
            <ActButton session={session} onClick={() => setAsking('write')}>
              Write the file…
            </ActButton>
            <button type="button" onClick={() => setAsking('discard')}>
              Discard the draft…
            </button>
          </>
        )}
      </p>
      {draft && <ReadOnlyNote session={session} />}
      {asking === 'write' && (
        <Confirm
          title={`Write ${file}?`}
          action={`Write ${file}`}
          act={write}
          close={() => setAsking(undefined)}
          onSignedOut={onSignedOut}
        >
          The draft replaces the file in the metadata folder of the server. The rules that are
          served stay the same until an apply. Undo it with git.
        </Confirm>
      )}
      {asking === 'discard' && (
        <Confirm
          title={`Discard the draft of ${file}?`}
          action="Discard the draft"
          act={async () => dropDraft(file)}
          close={() => setAsking(undefined)}
          onSignedOut={onSignedOut}
        >
          Your changes of this file are lost. The file stays as it is.
        </Confirm>
      )}
    </section>
  );
}
