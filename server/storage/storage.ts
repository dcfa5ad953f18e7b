import type { Readable } from 'node:stream';

/** The first and the last byte of a range, counted from 0. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** A file in the storage. */
export interface StoredObject {
  readonly name: string;
  readonly storedAt: Date;
}

/**
 * Stores files by name, on top of flydrive. flydrive's drivers differ in two operations, which this interface unifies:
 * reading a part of a file, and reporting a missing file before its first byte.
 */
export interface FileStorage {
  /** Copies a local file into the storage. A failed copy may leave a part of the file. */
  store(name: string, localFile: string): Promise<void>;
  /** Opens the file or a part of it; undefined when the file does not exist. The caller destroys the stream. */
  read(name: string, range?: ByteRange): Promise<Readable | undefined>;
  /** Removes a file. A file that does not exist is not an error. */
  remove(name: string): Promise<void>;
  /** Lists all objects whose names match {@link storedName}. */
  list(): AsyncIterable<StoredObject>;
  /** Records `owner` as the owner of this storage unless the storage already has an owner. Returns the owner. */
  claim(owner: string): Promise<string>;
}

/** Names of stored files: long enough not to be guessed, and without a path. The platform's table checks the same pattern. */
export const storedName: RegExp = /^[A-Za-z0-9_-]{32,100}(\.[a-z0-9]{1,10})?$/;
