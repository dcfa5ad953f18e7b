import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { applyMetadata, loadModel } from '../permissions/index.ts';
import { withLogin } from '../server/db/url.ts';
import { startBenchCluster } from './database.ts';
import { callers, schemaOf, settle } from './rules/data.ts';
import { type Case, type Cost, costByHand, costOfRole, sourceOf } from './rules/measure-rule.ts';
import { metadataOf, roles, uses } from './rules/shapes.ts';

/*
 * Compares each shape of rule with the same filter by hand, on 1,000,000 invoices of 2,000 organizations.
 */
const invoices = 1_000_000;
const rounds = 5;
const password = 'benchmark-gateway-password';

const cluster = await startBenchCluster();
const owner = new pg.Client({ connectionString: cluster.ownerUrl });
await owner.connect();
const metadata = await mkdtemp(path.join(cluster.folder, 'metadata-'));
await mkdir(path.join(metadata, 'tables'));
for (const [name, text] of Object.entries(metadataOf())) {
  await writeFile(path.join(metadata, name), text);
}
await owner.query(schemaOf(invoices));
await settle(owner);
await applyMetadata(owner, { metadata, headerPrefix: 'X-Gql-', password });
const model = await loadModel({ client: owner, metadata, headerPrefix: 'X-Gql-' });
const prefix = model.roles.get('exists')?.postgresName.replace(/exists$/, '') ?? '';
const url = withLogin(cluster.ownerUrl, `${prefix}gateway_login`, password);
const gateway = new pg.Client({ connectionString: url });
await gateway.connect();

console.log('| rule | use | caller | pages: role | by hand | ms: role | by hand |');
console.log('|---|---|---|---|---|---|---|');
for (const role of roles) {
  for (const use of Object.keys(uses)) {
    for (const [caller, variables] of Object.entries(callers)) {
      const [byRole, byHand] = await compare({ role, use, variables });
      const cells = [role, use, caller, byRole.pages, byHand.pages, ms(byRole), ms(byHand)];
      console.log(`| ${cells.join(' | ')} |`);
    }
  }
}
await gateway.end();
await owner.end();
await cluster.remove();

/** Runs both several times, each first in turn, and returns the medians. */
async function compare(one: Case): Promise<readonly [Cost, Cost]> {
  const source = sourceOf(model, one.role);
  const byRole: Cost[] = [];
  const byHand: Cost[] = [];
  const runs = [
    async () => byRole.push(await costOfRole(gateway, one, source, prefix)),
    async () => byHand.push(await costByHand(owner, one)),
  ];
  for (let round = 0; round < rounds; round++) {
    for (const run of round % 2 === 0 ? runs : runs.toReversed()) await run();
  }
  return [median(byRole), median(byHand)];
}

function median(costs: readonly Cost[]): Cost {
  const sorted = costs.toSorted((a, b) => a.milliseconds - b.milliseconds);
  return sorted[sorted.length >> 1] ?? { pages: 0, milliseconds: 0 };
}

function ms({ milliseconds }: Cost): string {
  return milliseconds.toFixed(2);
}
