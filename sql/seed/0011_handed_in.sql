-- What a person has handed in and nobody has looked at yet.

insert into public.uploaded_file (id, organization_id, user_id, name, original_name, content_type, size, sha256, purpose, created_by, created_at, updated_at) values
  ('b0000000-0000-4000-8000-000000000108', '00000000-0000-4000-8000-000000000001', 'local|alder-cardholder', '7c19e0a4d2b85f6310ce97ab48d5f02e6b3a91c8d4f7e025.jpg', 'id-card.jpg', 'image/jpeg', 201877, '5b0f3a3e7d0c8a52f4c6d19e2b7a84f06c1de95273b8a4f0d6e2c7951a3b8f4e', 'kyc_document', 'local|alder-cardholder', '2025-05-28 10:00:00+00', '2025-05-28 10:00:00+00');

insert into public.kyc_document (id, organization_id, kyc_profile_id, uploaded_file_id, document_type, country, inspection_id, provider_document_id, status, rejection_reason, issued_on, expires_on, created_at, updated_at) values
  ('91000000-0000-4000-8000-000000000108', '00000000-0000-4000-8000-000000000001', '90000000-0000-4000-8000-000000000104', 'b0000000-0000-4000-8000-000000000108', 'id_card', 'LU', null, null, 'pending', null, '2022-04-01', '2032-03-31', '2025-05-28 10:01:00+00', '2025-05-28 10:01:00+00');
