import type { DocumentNode } from 'postgraphile/graphql';
import { documentDigest, type ListedDocument, type RoleModel } from '../../../permissions/index.ts';
import { sha256 } from './sha256.ts';

/** The documents of one version of the allow-list, as requests look for them. */
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

  /** Whether a document is listed for the role. */
  allows(document: DocumentNode, role: RoleModel): boolean {
    const digest = digestOf(document);
    const listed = digest === undefined ? [] : (this.#byDigest.get(digest) ?? []);
    return listed.some((one) => isFor(one, role));
  }

  /** The document that is listed for the role under `collection/name` or its sha256; undefined where none is. */
  textOf(id: string, role: RoleModel): string | undefined {
    const key = id.startsWith('sha256:') ? id.slice('sha256:'.length) : id;
    return this.#byId.get(key)?.find((document) => isFor(document, role))?.text;
  }
}

/** Undefined for what is nested deeper than the stack is: nothing of that is listed. */
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
