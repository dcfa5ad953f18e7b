import type { Readable } from 'node:stream';

/** The first and the last byte, counted from 0. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Something that is stored, whoever put it there. */
export interface StoredObject {
  readonly name: string;
  readonly storedAt: Date;
}

/**
 * Keeps files by name. flydrive does the work; what it cannot do alike with all its drivers, reading a part of a file
 * and telling of a missing one before any byte is sent, is why there is an interface of our own.
 */
export interface FileStorage {
  /** Copies a local file. After a failure nothing, or a part of it, may be there. */
  store(name: string, localFile: string): Promise<void>;
  /** What the file holds, or a part of it; undefined where there is no such file. The reader destroys the stream. */
  read(name: string, range?: ByteRange): Promise<Readable | undefined>;
  /** What is not there is no mistake. */
  remove(name: string): Promise<void>;
  /** Everything whose name a file can have. */
  list(): AsyncIterable<StoredObject>;
  /** Who stores here; the first who asks. Another is told whose it is. */
  claim(who: string): Promise<string>;
}

/** As the platform's table checks it: nothing that leads elsewhere, and nothing that can be guessed. */
export const storedName: RegExp = /^[A-Za-z0-9_-]{32,100}(\.[a-z0-9]{1,10})?$/;
