import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe } from 'vitest';
import { readBlocks } from '../../../../repository/documentation/blocks.ts';
import { makeDataFolder } from '../../../../support/data-folder.ts';
import { readPage } from '../../../../support/documentation.ts';
import { startProgram } from '../../../../support/program.ts';
import { vacantPort } from '../../../../support/rowgate.ts';
import { until } from '../../../../support/until.ts';

const isInstalled = spawnSync('haproxy', ['-v']).status === 0;

/** Skips tests when HAProxy is not installed. In CI it must be installed. */
export const describeWithHaproxy = describe.skipIf(!isInstalled && !process.env.CI);

/** The addresses in docs/deployment/load-balancing.md. */
const addresses = ['10.0.0.11:5678', '10.0.0.12:5678'];

/** Starts HAProxy with the configuration of the documentation in front of two gateways. Returns its URL. */
export async function startHaproxy(gateways: readonly { readonly url: string }[]): Promise<string> {
  const [block] = readBlocks(readPage('docs/deployment/load-balancing.md'));
  const port = await vacantPort();
  let text = (block?.text ?? '').replace('0.0.0.0:80', `127.0.0.1:${port}`);
  for (const [index, { url }] of gateways.entries())
    text = text.replace(addresses[index] ?? '', new URL(url).host);
  const file = path.join(await makeDataFolder(), 'haproxy.cfg');
  await writeFile(file, `${text}\n`);
  startProgram('haproxy', ['-db', '-f', file]);
  const url = `http://127.0.0.1:${port}`;
  await until(() =>
    fetch(`${url}/healthz`)
      .then(({ ok }) => ok)
      .catch(() => false),
  );
  return url;
}
