import { useState } from 'preact/hooks';
import type { Drift } from '../api/answers.ts';
import { askServer } from '../api/ask-server.ts';
import { Failure } from '../shell/failure.tsx';
import { countOf, timeOf } from './figures.ts';

interface DriftProps {
  /** The last result of the server's own checks. */
  readonly last: Drift | undefined;
}

/** The differences between the database and the applied rules. */
export function DriftOfDatabase({ last }: DriftProps) {
  const [own, setOwn] = useState<Drift>();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const compare = async () => {
    setBusy(true);
    setError(undefined);
    try {
      setOwn(await askServer<Drift>('/admin/drift', {}));
    } catch (failure) {
      setError(failure);
    }
    setBusy(false);
  };
  const found = own && own.at > (last?.at ?? 0) ? own : last;
  return (
    <section aria-labelledby="drift">
      <h2 id="drift">Drift</h2>
      {error !== undefined && <Failure error={error} retry={compare} />}
      <div role="status">
        {found ? (
          <Found drift={found} />
        ) : (
          <p>
            This server has not compared the database with the applied rules. ROWGATE_DRIFT_INTERVAL
            sets how often it does.
          </p>
        )}
      </div>
      <button type="button" onClick={compare} disabled={isBusy}>
        {isBusy ? 'Comparing…' : 'Compare now'}
      </button>
    </section>
  );
}

function Found({ drift: { at, differences, omitted, replaced } }: { readonly drift: Drift }) {
  return (
    <>
      <p>
        {differences.length === 0
          ? 'The database is as apply left it.'
          : 'The database was changed behind Rowgate’s back. rowgate apply repairs it:'}{' '}
        <span class="quiet">Compared {timeOf(at)}.</span>
      </p>
      <ul>
        {differences.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      {omitted > 0 && (
        <p>
          {countOf(omitted, 'further difference', 'further differences')}: rowgate drift lists all.
        </p>
      )}
      {replaced.length > 0 && (
        <p>Views that were replaced since their rules were applied: {replaced.join(', ')}.</p>
      )}
    </>
  );
}
