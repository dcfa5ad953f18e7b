import { EventEmitter, once } from 'node:events';
import { Writable } from 'node:stream';

/** A destination for log lines that a test can look at. */
export class LogCapture extends Writable {
  readonly #news = new EventEmitter();
  #text = '';

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#text += chunk;
    this.#news.emit('line');
    done();
  }

  /** Everything so far. */
  get text(): string {
    return this.#text;
  }

  /** Begins anew. */
  forget(): void {
    this.#text = '';
  }

  /** The first line that holds the text, as soon as there is one. */
  async lineWith(text: string): Promise<Record<string, unknown>> {
    for (;;) {
      const line = this.#text.split('\n').find((one) => one.includes(text));
      if (line !== undefined) return JSON.parse(line) as Record<string, unknown>;
      await once(this.#news, 'line');
    }
  }
}
