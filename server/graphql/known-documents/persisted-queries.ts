/**
 * The documents that one owner has registered. The owner of a document is the first caller that registers the document.
 */
interface Holding {
  readonly owner: string;
  /** Documents by hash, the least recently used first. */
  readonly documents: Map<string, string>;
  bytes: number;
}

/** Bytes counted for each document in addition to its text: its hash, its owner, and its entries in the maps. */
const DOCUMENT_BYTES = 700;

/**
 * A cache of documents that clients have registered, by sha256, with a limit in bytes. When the cache is full, the
 * owner with the most bytes loses its least recently used document. An owner with less than half as many bytes as
 * another owner never loses a document.
 */
export class PersistedQueries {
  readonly #byHash = new Map<string, Holding>();
  readonly #byOwner = new Map<string, Holding>();
  /**
   * Owners grouped by the number of binary digits of their bytes, so that the cache quickly finds an owner with many
   * bytes.
   */
  readonly #bySize: readonly Set<Holding>[] = Array.from({ length: 33 }, () => new Set());
  readonly #budget: number;
  #bytes = 0;

  /** @param budget maximum bytes; 0 stores nothing */
  constructor(budget: number) {
    this.#budget = budget;
  }

  get(hash: string): string | undefined {
    const documents = this.#byHash.get(hash)?.documents;
    const query = documents?.get(hash);
    if (!documents || query === undefined) return undefined;
    documents.delete(hash);
    documents.set(hash, query);
    return query;
  }

  /** Stores a document. Its owner is the first caller that registers it. */
  set(hash: string, query: string, owner: string): void {
    if (this.#byHash.has(hash) || bytesOf(query) > this.#budget) return;
    const holding = this.#byOwner.get(owner) ?? { owner, documents: new Map(), bytes: 0 };
    holding.documents.set(hash, query);
    this.#byHash.set(hash, holding);
    this.#count(holding, bytesOf(query));
    while (this.#bytes > this.#budget) this.#dropOldest(this.#largest());
  }

  #largest(): Holding {
    const [holding] = this.#bySize.findLast(({ size }) => size > 0) ?? [];
    if (!holding) throw new Error('bytes are counted that no owner holds');
    return holding;
  }

  #dropOldest(holding: Holding): void {
    const [oldest] = holding.documents;
    if (!oldest) throw new Error('bytes are counted of no document');
    const [hash, query] = oldest;
    holding.documents.delete(hash);
    this.#byHash.delete(hash);
    this.#count(holding, -bytesOf(query));
  }

  #count(holding: Holding, bytes: number): void {
    this.#setOf(holding).delete(holding);
    holding.bytes += bytes;
    this.#bytes += bytes;
    if (holding.bytes === 0) {
      this.#byOwner.delete(holding.owner);
      return;
    }
    this.#byOwner.set(holding.owner, holding);
    this.#setOf(holding).add(holding);
  }

  #setOf({ bytes }: Holding): Set<Holding> {
    return this.#bySize[32 - Math.clz32(bytes)] as Set<Holding>;
  }
}

function bytesOf(query: string): number {
  return Buffer.byteLength(query) + DOCUMENT_BYTES;
}
