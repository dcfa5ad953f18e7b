import type pg from 'pg';

/** The location of a document's file at the provider. */
export interface FileLocation {
  readonly inspectionId: string;
  readonly providerDocumentId: string;
}

interface Row {
  readonly inspection_id: string | null;
  readonly provider_document_id: string | null;
}

/** Finds the location of a document's file; undefined when the document or its file at the provider does not exist. */
export async function findFileLocation(
  pool: pg.Pool,
  document: string,
): Promise<FileLocation | undefined> {
  const { rows } = await pool.query<Row>({
    name: 'find_kyc_source',
    text: `select s.inspection_id, s.provider_document_id
      from rowgate_documents.find_kyc_source($1) s`,
    values: [document],
  });
  const { inspection_id: inspectionId, provider_document_id: providerDocumentId } = rows[0] ?? {};
  return inspectionId && providerDocumentId ? { inspectionId, providerDocumentId } : undefined;
}
