import type { Finding } from '../api/change-answers.ts';

const words = { error: 'Mistake', warning: 'Warning', notice: 'Notice' } as const;

interface FindingsProps {
  readonly findings: readonly Finding[];
  /** Goes to the place of a finding. Absent: the place is not a link. */
  readonly open?: ((file: string, line: number) => void) | undefined;
}

/** Findings with their places and hints. */
export function Findings({ findings, open }: FindingsProps) {
  return (
    <ul class="findings">
      {findings.map(({ code, severity, message, hint, file, line }) => (
        <li key={`${code} ${file} ${line} ${message}`} class={severity}>
          <strong>{words[severity]}:</strong> {hint === undefined ? message : `${message}; ${hint}`}{' '}
          <span class="quiet">
            {file !== undefined && line !== undefined && (
              <FindingPlace file={file} line={line} open={open} />
            )}{' '}
            {code}
          </span>
        </li>
      ))}
    </ul>
  );
}

interface FindingPlaceProps extends Pick<FindingsProps, 'open'> {
  readonly file: string;
  readonly line: number;
}

function FindingPlace({ file, line, open }: FindingPlaceProps) {
  const text = `${file}:${line}`;
  if (!open) return <>{text}</>;
  return (
    <button type="button" class="place" onClick={() => open(file, line)}>
      {text}
    </button>
  );
}
