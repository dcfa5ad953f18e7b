import type { Health } from '../api/answers.ts';
import type { ScreenProps } from '../shell/screens.ts';
import { countOf, durationOf } from './figures.ts';
import { Scrolled } from './scrolled.tsx';

interface OperationsProps extends Pick<ScreenProps, 'place' | 'go'> {
  readonly health: Health;
}

/** Requests by role and operation, errors by code, and latencies since the start of the process. */
export function Operations({ health, place, go }: OperationsProps) {
  const { role = '' } = place.values;
  const roles = [...new Set(health.operations.map((one) => one.role))].filter(Boolean).toSorted();
  const operations = health.operations.filter((one) => role === '' || one.role === role);
  const latencies = health.latencies.filter((one) => role === '' || one.role === role);
  return (
    <section aria-labelledby="operations">
      <h2 id="operations">Operations since the start</h2>
      <form class="filters" onSubmit={(event) => event.preventDefault()}>
        <label>
          Role
          <select
            value={role}
            onChange={({ currentTarget: { value } }) =>
              go({ ...place, values: { ...place.values, role: value } }, 'replace')
            }
          >
            <option value="">all roles</option>
            {[...new Set([...roles, ...(role === '' ? [] : [role])])].map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
      </form>
      {operations.length === 0 ? (
        <p role="status">No operation has ended yet. Send one to /v1/graphql.</p>
      ) : (
        <>
          <OperationTable operations={operations} />
          {health.omitted > 0 && (
            <p class="quiet">
              {countOf(health.omitted, 'rarer operation is', 'rarer operations are')} not listed;
              the metrics of the server have all.
            </p>
          )}
          <Errors operations={operations} />
          <Latencies latencies={latencies} />
        </>
      )}
    </section>
  );
}

/** Requests whose caller could not be identified have no role. */
function nameOf(role: string): string {
  return role === '' ? 'unknown caller' : role;
}

function OperationTable({ operations }: Pick<Health, 'operations'>) {
  return (
    <Scrolled label="Operations by role and name">
      <table class="figures">
        <thead>
          <tr>
            <th scope="col">Role</th>
            <th scope="col">Operation</th>
            <th scope="col">Count</th>
            <th scope="col">With an error</th>
            <th scope="col">Mean time</th>
          </tr>
        </thead>
        <tbody>
          {operations.map(({ role, kind, operation, count, errors, meanSeconds }) => (
            <tr key={JSON.stringify([role, kind, operation])}>
              <th scope="row">{nameOf(role)}</th>
              <td>
                {kind} <code>{operation === '' ? '' : operation}</code>
                {operation === '' && <span class="quiet">without a name</span>}
              </td>
              <td>{count.toLocaleString('en')}</td>
              <td>{errors.reduce((sum, one) => sum + one.count, 0).toLocaleString('en')}</td>
              <td>{durationOf(meanSeconds)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolled>
  );
}

function Errors({ operations }: Pick<Health, 'operations'>) {
  const all = operations.flatMap(({ role, errors }) => errors.map((one) => ({ ...one, role })));
  const codes = [...Map.groupBy(all, ({ code }) => code)]
    .map(([code, found]) => ({
      code,
      count: found.reduce((sum, one) => sum + one.count, 0),
      roles: [...new Set(found.map(({ role }) => role))].toSorted(),
    }))
    .toSorted((one, other) => other.count - one.count);
  return (
    <>
      <h3>Errors by code</h3>
      {codes.length === 0 ? (
        <p>No operation has ended with an error.</p>
      ) : (
        <Scrolled label="Errors by code">
          <table class="figures">
            <thead>
              <tr>
                <th scope="col">Code</th>
                <th scope="col">Count</th>
                <th scope="col">Roles</th>
              </tr>
            </thead>
            <tbody>
              {codes.map(({ code, count, roles }) => (
                <tr key={code}>
                  <th scope="row">
                    <code>{code}</code>
                  </th>
                  <td>{count.toLocaleString('en')}</td>
                  <td>{roles.map(nameOf).join(', ')}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scrolled>
      )}
    </>
  );
}

function Latencies({ latencies }: Pick<Health, 'latencies'>) {
  return (
    <>
      <h3>Latency by role</h3>
      <Scrolled label="Latency by role">
        <table class="figures">
          <thead>
            <tr>
              <th scope="col">Role</th>
              <th scope="col">Kind</th>
              <th scope="col">Count</th>
              <th scope="col">Half within</th>
              <th scope="col">99 % within</th>
            </tr>
          </thead>
          <tbody>
            {latencies.map(({ role, kind, count, p50, p99 }) => (
              <tr key={`${role} ${kind}`}>
                <th scope="row">{nameOf(role)}</th>
                <td>{kind}</td>
                <td>{count.toLocaleString('en')}</td>
                <td>{durationOf(p50)}</td>
                <td>{durationOf(p99)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolled>
    </>
  );
}
