import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** A finding of the language server, with a line that counts from 1. */
export interface Finding {
  readonly line: number;
  readonly message: string;
}

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
}

interface Published {
  readonly uri: string;
  readonly diagnostics: readonly {
    readonly message: string;
    readonly range: { readonly start: { readonly line: number } };
  }[];
}

const program = path.resolve(
  import.meta.dirname,
  '../../../node_modules/yaml-language-server/bin/yaml-language-server',
);

/** The settings of an editor. Without the store, the server needs no network. */
const settings = { validate: true, hover: true, completion: true, schemaStore: { enable: false } };

/** The program yaml-language-server, which speaks the Language Server Protocol on its standard streams. */
export class LanguageServer {
  readonly #process = spawn(process.execPath, [program, '--stdio'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  readonly #waiting = new Map<string, (value: unknown) => void>();
  #buffer = Buffer.alloc(0);
  #lastId = 0;

  static async start(): Promise<LanguageServer> {
    const server = new LanguageServer();
    server.#process.stdout.on('data', (chunk: Buffer) => server.#read(chunk));
    const capabilities = { workspace: { configuration: true } };
    await server.#request('initialize', { processId: process.pid, rootUri: null, capabilities });
    server.#send({ method: 'initialized', params: {} });
    return server;
  }

  /** Opens a document, and returns the findings about it. */
  async findings(file: string, text: string): Promise<readonly Finding[]> {
    const uri = pathToFileURL(file).href;
    const published = this.#wait(uri) as Promise<Published>;
    const textDocument = { uri, languageId: 'yaml', version: 1, text };
    this.#send({ method: 'textDocument/didOpen', params: { textDocument } });
    const { diagnostics } = await published;
    return diagnostics.map(({ message, range }) => ({ line: range.start.line + 1, message }));
  }

  /** Returns the text that an editor shows for a place of an open document. Line and column count from 1. */
  async hover(file: string, line: number, column: number): Promise<string> {
    const textDocument = { uri: pathToFileURL(file).href };
    const position = { line: line - 1, character: column - 1 };
    return JSON.stringify(await this.#request('textDocument/hover', { textDocument, position }));
  }

  async stop(): Promise<void> {
    const ended = once(this.#process, 'exit');
    await this.#request('shutdown', undefined);
    this.#send({ method: 'exit' });
    await ended;
  }

  #request(method: string, params: unknown): Promise<unknown> {
    const id = ++this.#lastId;
    const answer = this.#wait(String(id));
    this.#send({ id, method, params });
    return answer;
  }

  #wait(key: string): Promise<unknown> {
    return new Promise((resolve) => this.#waiting.set(key, resolve));
  }

  #send(message: Message): void {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message });
    this.#process.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  }

  #read(chunk: Buffer): void {
    this.#buffer = Buffer.concat([this.#buffer, chunk]);
    for (;;) {
      const end = this.#buffer.indexOf('\r\n\r\n');
      const length = /Content-Length: (\d+)/i.exec(
        this.#buffer.toString('latin1', 0, Math.max(end, 0)),
      )?.[1];
      if (length === undefined || this.#buffer.length < end + 4 + Number(length)) return;
      const body = this.#buffer.subarray(end + 4, end + 4 + Number(length));
      this.#buffer = this.#buffer.subarray(end + 4 + Number(length));
      this.#take(JSON.parse(body.toString()) as Message);
    }
  }

  #take({ id, method, params, result }: Message): void {
    if (method === 'workspace/configuration') {
      const { items } = params as { readonly items: readonly { readonly section: string }[] };
      const answers = items.map(({ section }) => (section === 'yaml' ? settings : null));
      this.#send({ ...(id !== undefined && { id }), result: answers });
    } else if (method === 'textDocument/publishDiagnostics') {
      this.#waiting.get((params as Published).uri)?.(params);
    } else if (method !== undefined) {
      if (id !== undefined) this.#send({ id, result: null });
    } else {
      this.#waiting.get(String(id))?.(result);
    }
  }
}
