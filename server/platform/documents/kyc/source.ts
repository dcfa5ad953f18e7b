import type pg from 'pg';

/** Where the provider keeps the file of a document. */
export interface Source {
  readonly inspectionId: string;
  readonly providerDocumentId: string;
}

interface Row {
  readonly inspection_id: string | null;
  readonly provider_document_id: string | null;
}

/** Undefined where there is no such document, or the provider keeps no file of it. */
export async function findSource(pool: pg.Pool, document: string): Promise<Source | undefined> {
  const { rows } = await pool.query<Row>({
    name: 'find_kyc_source',
    text: `select s.inspection_id, s.provider_document_id
      from rowgate_documents.find_kyc_source($1) s`,
    values: [document],
  });
  const { inspection_id: inspectionId, provider_document_id: providerDocumentId } = rows[0] ?? {};
  return inspectionId && providerDocumentId ? { inspectionId, providerDocumentId } : undefined;
}
