import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Client } from 'graphql-ws';
import { readBlocks } from '../../../../repository/documentation/blocks.ts';
import { makeDataFolder } from '../../../../support/data-folder.ts';
import { readPage } from '../../../../support/documentation.ts';

/** The functions of the documentation for clients that connect again. */
interface DocumentedClient {
  connect(url: string, connectionParams: object): Client;
  follow(client: Client, show: (row: { readonly id: number }) => void): () => void;
}

/** Loads the functions from sockets.md and subscriptions.md. */
export async function loadDocumentedClient(): Promise<DocumentedClient> {
  const pages = ['docs/clients/sockets.md', 'docs/clients/subscriptions.md'];
  const blocks = pages.flatMap((page) => readBlocks(readPage(page)));
  const code = blocks.filter(({ language, runBy }) => language === 'js' && runBy !== undefined);
  const text = code.map((block) => block.text).join('\n');
  const file = path.join(await makeDataFolder(), 'client.mjs');
  await writeFile(file, text.replace(`'graphql-ws'`, `'${import.meta.resolve('graphql-ws')}'`));
  return import(pathToFileURL(file).href);
}
