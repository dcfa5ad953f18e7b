/** A document under a name. */
export interface SavedDocument {
  readonly name: string;
  readonly text: string;
}

const key = 'rowgate-console-operations';

/** Returns the documents that this browser has saved, sorted by name. They contain no values, see readDocument. */
export function savedDocuments(): readonly SavedDocument[] {
  return JSON.parse(localStorage.getItem(key) ?? '[]');
}

/** Saves a document in place of another one of its name. */
export function saveDocument(document: SavedDocument): void {
  const others = savedDocuments().filter(({ name }) => name !== document.name);
  store([...others, document]);
}

export function deleteDocument(name: string): void {
  store(savedDocuments().filter((one) => one.name !== name));
}

function store(documents: readonly SavedDocument[]): void {
  const sorted = documents.toSorted((a, b) => a.name.localeCompare(b.name));
  localStorage.setItem(key, JSON.stringify(sorted));
}
