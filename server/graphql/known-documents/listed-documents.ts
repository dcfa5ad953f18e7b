import type { DocumentNode } from 'postgraphile/graphql';
import { documentDigest, type ListedDocument, type RoleModel } from '../../../permissions/index.ts';
import { sha256 } from './sha256.ts';

/** The documents of one version of the allow-list, indexed for requests. */
export class ListedDocuments {
  readonly #byDigest: ReadonlyMap<string, readonly ListedDocument[]>;
  readonly #byId: ReadonlyMap<string, readonly ListedDocument[]>;

  constructor(documents: readonly ListedDocument[]) {
    this.#byDigest = Map.groupBy(documents, ({ digest }) => digest);
    const named = documents.flatMap((document) =>
      [`${document.collection}/${document.name}`, sha256(document.text)].map(
        (id) => [id, document] as const,
      ),
    );
    const byId = new Map<string, ListedDocument[]>();
    for (const [id, document] of named) byId.set(id, [...(byId.get(id) ?? []), document]);
    this.#byId = byId;
  }

  /** Returns true if the allow-list contains the document for the role. */
  allows(document: DocumentNode, role: RoleModel): boolean {
    const digest = digestOf(document);
    const listed = digest === undefined ? [] : (this.#byDigest.get(digest) ?? []);
    return listed.some((one) => isFor(one, role));
  }

  /** Returns the document with the id `collection/name` or its sha256; undefined if it is not listed for the role. */
  textOf(id: string, role: RoleModel): string | undefined {
    const key = id.startsWith('sha256:') ? id.slice('sha256:'.length) : id;
    return this.#byId.get(key)?.find((document) => isFor(document, role))?.text;
  }
}

/**
 * Returns a digest of the document. Returns undefined for a document nested too deep for the stack, which the
 * allow-list cannot contain.
 */
function digestOf(document: DocumentNode): string | undefined {
  try {
    return documentDigest(document);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function isFor({ roles }: ListedDocument, { name }: RoleModel): boolean {
  return name === 'admin' || roles === 'everybody' || roles.includes(name);
}
