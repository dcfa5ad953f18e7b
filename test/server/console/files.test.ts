import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openConsoleFiles } from '../../../server/console/console-files.ts';
import { removeMetadata } from '../../permissions/support/metadata-files.ts';
import { vacantPort } from '../../support/rowgate.ts';
import { type AdminServer, adminSecret, startAdminServer } from '../admin/support/admin-server.ts';

let server: AdminServer;
beforeAll(async () => {
  server = await startAdminServer({ ROWGATE_CONSOLE: 'on' });
});
afterAll(async () => {
  await server.stop();
  await removeMetadata();
});

const maxFirstLoad = 250_000;
const maxAllParts = 500_000;

describe('the page of the console', () => {
  test.each(['/console', '/console/matrix', '/console/rule?role=clerk'])(
    'at %s allows only scripts and styles of this server, and no frame',
    async (path) => {
      const { headers } = await fetch(`${server.url}${path}`);
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
      const policy = headers.get('content-security-policy');
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain('unsafe');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
    },
  );

  test('has no inline script or style, no address elsewhere, and no secret', async () => {
    const page = await (await fetch(`${server.url}/console`)).text();
    expect(page).not.toMatch(/<style|style=|<script(?![^>]*src=)|(src|href)="(https?:)?\/\//);
    expect(page).not.toContain(adminSecret);
  });

  test('names its files below the path of the base URL', async () => {
    const port = String(await vacantPort());
    const behindProxy = { PORT: port, ROWGATE_BASE_URL: 'http://a.example/rules' };
    await server.beside({ ROWGATE_CONSOLE: 'on', ...behindProxy });
    const page = await (await fetch(`http://127.0.0.1:${port}/console`)).text();
    expect(page).toContain('src="/rules/console/assets/');
    expect(page).toContain('<body data-root="/rules"');
  });
});

test('the address of the server leads to the explorer', async () => {
  const { status, headers } = await fetch(`${server.url}/`, { redirect: 'manual' });
  expect([status, headers.get('location')]).toEqual([302, '/console/explorer']);
});

describe('the files of the console', () => {
  test.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ])(
    'are sent in %s to browsers that accept it, and may be kept for good',
    async (name, unpack) => {
      const { script, contents } = await openConsoleFiles();
      const answer = await fetch(`${server.url}/console/assets/${script}`, {
        headers: { 'accept-encoding': name },
      });
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-encoding': name,
        'cache-control': 'public, max-age=31536000, immutable',
        'content-type': 'text/javascript; charset=utf-8',
        vary: 'Accept-Encoding',
      });
      expect(await answer.text()).toBe(String(contents.get(script)));
      const packed = contents.get(`${script}.${name === 'br' ? 'br' : 'gz'}`);
      expect(unpack(packed ?? '').equals(contents.get(script) ?? Buffer.alloc(0))).toBe(true);
    },
  );

  test('are sent as they are to other clients', async () => {
    const { style, contents } = await openConsoleFiles();
    const answer = await fetch(`${server.url}/console/assets/${style}`, {
      headers: { 'accept-encoding': 'identity' },
    });
    expect(answer.headers.get('content-encoding')).toBeNull();
    expect(await answer.text()).toBe(String(contents.get(style)));
  });

  test('of another version are not found', async () => {
    const { status } = await fetch(`${server.url}/console/assets/console-old.js`);
    expect(status).toBe(404);
  });

  test(`are smaller than ${maxFirstLoad} bytes at the first load, with the page`, async () => {
    const { script, style, contents } = await openConsoleFiles();
    const page = await (await fetch(`${server.url}/console`)).text();
    const files = [script, style].map((name) => contents.get(`${name}.gz`)?.length ?? maxFirstLoad);
    expect(files.reduce((sum, size) => sum + size, page.length)).toBeLessThan(maxFirstLoad);
  });

  test(`are smaller than ${maxAllParts} bytes with the parts of all screens`, async () => {
    const { contents } = await openConsoleFiles();
    const sizes = [...contents].map(([name, { length }]) => (name.endsWith('.gz') ? length : 0));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(maxAllParts);
  });
});
