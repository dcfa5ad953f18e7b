import type { Health } from '../api/answers.ts';
import { askServer } from '../api/ask-server.ts';
import { HealthLists } from '../application/health-lists.tsx';
import { Failure } from '../shell/failure.tsx';
import type { ScreenProps } from '../shell/screens.ts';
import { Title } from '../shell/title.tsx';
import { usePolled } from '../shell/use-polled.ts';
import { Connections } from './connections.tsx';
import { DriftOfDatabase } from './drift.tsx';
import { ageOf, rounded } from './figures.ts';
import { History } from './history.tsx';
import { Operations } from './operations.tsx';
import { Traffic } from './traffic.tsx';

const everySeconds = 5;

/** The state of the server: its traffic, connections, drift, and the applies of its rules. */
export function HealthScreen(props: ScreenProps) {
  const { onSignedOut } = props;
  const ask = () => askServer<Health>('/admin/health');
  const [asked, askNow] = usePolled('', ask, everySeconds, onSignedOut);
  return (
    <div class="health">
      <Title>The health of this server</Title>
      {asked.state === 'waiting' && <p class="waiting">Reading the figures…</p>}
      {asked.state === 'failed' && <Failure error={asked.error} retry={askNow} />}
      {asked.state === 'answered' && (
        <>
          <Summary health={asked.answer} />
          <Traffic recent={asked.answer.recent} />
          <Operations health={asked.answer} {...props} />
          <Connections {...asked.answer} />
          <DriftOfDatabase last={asked.answer.drift} />
        </>
      )}
      <HealthLists {...props} />
      <History {...props} />
    </div>
  );
}

const mebibyte = 1024 * 1024;

function Summary({ health }: { readonly health: Health }) {
  const { startedAt, memoryBytes, cpuSeconds, problems, recent } = health;
  const count = recent.reduce((sum, one) => sum + one.count, 0);
  const errors = recent.reduce((sum, one) => sum + one.errors, 0);
  return (
    <>
      {problems.length > 0 && (
        <div class="failure" role="alert">
          <p>
            <strong>This server is not ready:</strong>
          </p>
          <ul>
            {problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        </div>
      )}
      <dl class="tiles">
        <Tile name="State" value={problems.length === 0 ? 'ready' : 'not ready'} />
        <Tile name="Operations, 15 min" value={count.toLocaleString('en')} />
        <Tile name="With an error, 15 min" value={errors.toLocaleString('en')} />
        <Tile name="Runs for" value={ageOf(startedAt)} />
        <Tile name="Memory" value={`${rounded(memoryBytes / mebibyte)} MiB`} />
        <Tile name="Processor time" value={`${rounded(cpuSeconds)} s`} />
      </dl>
      <p class="quiet">
        All figures are those of the process that answers. Other instances have their own.
      </p>
    </>
  );
}

function Tile({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
