import { useMemo, useState } from 'preact/hooks';
import { askServer } from '../api/ask-server.ts';
import type { Finding, RuleFile, RuleFiles } from '../api/change-answers.ts';
import { Failure } from '../shell/failure.tsx';
import type { ScreenProps } from '../shell/screens.ts';
import { Title } from '../shell/title.tsx';
import { useAnswer } from '../shell/use-answer.ts';
import { ApplyPart } from './apply-part.tsx';
import { DraftEditor } from './draft-editor.tsx';
import { useDrafts } from './draft-store.ts';
import { Effects } from './effects.tsx';
import { TestsPart } from './tests-part.tsx';
import { type DraftCheck, useCheck } from './use-check.ts';

/** Editing files with rules: what a draft changes for whom, its tests, the patch, and the apply. */
export function ChangeScreen(props: ScreenProps) {
  const path = '/admin/metadata/files';
  const [asked, retry] = useAnswer(path, () => askServer<RuleFiles>(path), props.onSignedOut);
  if (asked.state === 'waiting') return <p class="waiting">Listing the files…</p>;
  if (asked.state === 'failed') return <Failure error={asked.error} retry={retry} />;
  return <Change {...props} {...asked.answer} />;
}

function Change({ files, isApplicable, ...props }: ScreenProps & RuleFiles) {
  const { place, go, session, onSignedOut } = props;
  const drafts = useDrafts();
  const check = useCheck(drafts, onSignedOut);
  const open = (file: string, line?: number) =>
    go({ screen: 'change', values: { file, line: line?.toString() } });
  const chosen =
    files.find(({ file }) => file === place.values.file) ??
    files.find(({ table }) => table !== undefined);
  if (!chosen) return <p role="status">The metadata folder has no rule yet.</p>;
  const { file } = chosen;
  return (
    <>
      <Title>Change the rules</Title>
      <form class="filters change-file" onSubmit={(event) => event.preventDefault()}>
        <label>
          File
          <select value={file} onChange={({ currentTarget }) => open(currentTarget.value)}>
            {files.map(({ file: name }) => (
              <option key={name} value={name}>
                {drafts.some((draft) => draft.file === name) ? `${name} (changed)` : name}
              </option>
            ))}
          </select>
        </label>
      </form>
      <div class="beside change">
        <OpenedFile {...props} {...chosen} key={file} check={check} />
        <div class="effects">
          <Effects {...{ drafts, check, open }} />
          {drafts.length > 0 && <TestsPart {...{ drafts, session, onSignedOut, open }} />}
          <ApplyPart {...{ session, onSignedOut, isApplicable, open }} />
        </div>
      </div>
    </>
  );
}

type OpenedFileProps = ScreenProps & RuleFiles['files'][number] & { readonly check: DraftCheck };

function OpenedFile({ check, ...props }: OpenedFileProps) {
  const { file, onSignedOut } = props;
  const path = `/admin/metadata/file?file=${encodeURIComponent(file)}`;
  const [asked, retry] = useAnswer(path, () => askServer<RuleFile>(path), onSignedOut);
  const [written, setWritten] = useState<Pick<RuleFile, 'text' | 'digest'>>();
  const problems = useMemo(() => problemsIn(file, check.checked), [file, check.checked]);
  // The same object at each key, because the editor loads its language anew for another one.
  const opened = useMemo(
    () => (asked.state === 'answered' ? { ...asked.answer, ...written } : undefined),
    [asked, written],
  );
  if (asked.state === 'failed') return <Failure error={asked.error} retry={retry} />;
  if (!opened) return <p class="waiting">Opening the file…</p>;
  return <DraftEditor {...props} {...{ opened, problems }} onWritten={setWritten} />;
}

/** Returns the findings in a file as problems of its text. */
function problemsIn(file: string, checked: DraftCheck['checked']) {
  const findings: readonly Finding[] =
    checked?.kind === 'mistaken' ? checked.mistakes : (checked?.findings ?? []);
  return findings.flatMap((one) => {
    if (one.file !== file || one.line === undefined || one.column === undefined) return [];
    const severity = one.severity === 'notice' ? 'info' : one.severity;
    return [{ severity, message: one.message, line: one.line, column: one.column } as const];
  });
}
