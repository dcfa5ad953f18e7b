-- Numbers that people read, say and type: of invoices, receipts and cases, and the references of bank transfers. An
-- installation has one seller, the operator whose brand the documents carry. Each kind of document has one series of
-- the seller. Customers see numbers of that series, so consecutive numbers would reveal how much the seller sells. The
-- series therefore counts in a secret order.

create schema rowgate_numbers;
revoke all on schema rowgate_numbers from public;

create table rowgate_numbers.secret (
  only_row boolean primary key default true check (only_row),
  key bytea not null
);
comment on table rowgate_numbers.secret is 'The secret that determines the order of numbers. With another secret, numbers would repeat.';
insert into rowgate_numbers.secret (key)
  select pg_catalog.uuid_send(pg_catalog.gen_random_uuid()) || pg_catalog.uuid_send(pg_catalog.gen_random_uuid());

-- A sequence never makes one transaction wait for another. A transaction that is rolled back leaves a gap.
create sequence rowgate_numbers.invoice minvalue 0;
create sequence rowgate_numbers.receipt minvalue 0;
create sequence rowgate_numbers."case" minvalue 0;

create table rowgate_numbers.earlier (
  table_name text not null,
  row_id uuid not null,
  number text not null,
  primary key (table_name, row_id)
);
comment on table rowgate_numbers.earlier is 'Numbers that rows had before this migration gave them shorter or unambiguous ones.';

-- A Feistel network of four rounds permutes the numbers below 2^20. Values outside the range are permuted again, which
-- keeps the permutation one-to-one within the range. Numbers below 1000 remain free for the operator.
create function rowgate_numbers.scatter(count bigint) returns bigint
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      secret constant bytea := (select s.key from rowgate_numbers.secret s);
      digest bytea;
      value integer := 1000 + $1 % 999000;
    begin
      loop
        for round in 1..4 loop
          digest := sha256(secret || int4send(round) || int4send(value & 1023));
          value := ((value & 1023) << 10) | ((value >> 10) # ((get_byte(digest, 0) << 2) | (get_byte(digest, 1) & 3)));
        end loop;
        exit when value between 1000 and 999999;
      end loop;
      return $1 / 999000 * 1000000 + value;
    end
  $$;
comment on function rowgate_numbers.scatter(bigint) is
  'Returns the number at a position of the series, counted from 0. Different positions have different numbers. The first 999000 numbers have at most six digits.';

create function rowgate_numbers.creditor_reference(body text) returns text
  language sql immutable
  set search_path = pg_catalog, pg_temp
  as $$
    select 'RF' || lpad((98 - string_agg(case when c.sign ~ '\d' then c.sign else (ascii(c.sign) - 55)::text end, '' order by c.place)::numeric % 97)::text, 2, '0') || $1
    from string_to_table($1 || 'RF00', null) with ordinality c (sign, place);
  $$;
comment on function rowgate_numbers.creditor_reference(text) is
  'Returns a creditor reference of ISO 11649: RF, two check digits of ISO 7064 (mod 97-10), and the body of capital letters and digits.';

create function rowgate_numbers.new_reference() returns text
  language sql volatile
  set search_path = pg_catalog, pg_temp
  as $$
    -- The sixth and the eighth byte of a random UUID contain fixed bits. The letters I and O and the digits 0 and 1 look
    -- alike, so they are left out.
    select rowgate_numbers.creditor_reference(
      string_agg(substr('23456789ABCDEFGHJKLMNPQRSTUVWXYZ', (get_byte(r.bytes, p.place) & 31) + 1, 1), ''))
    from (select uuid_send(gen_random_uuid()) as bytes) r, unnest(array[0, 1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 15]) p (place);
  $$;
comment on function rowgate_numbers.new_reference() is
  'Returns a random creditor reference of 16 characters. It contains no count.';

create function rowgate_numbers.new_number(kind text) returns text
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      series constant regclass := case $1 when 'INV' then 'rowgate_numbers.invoice' when 'REC' then 'rowgate_numbers.receipt'
        when 'CASE' then 'rowgate_numbers."case"' end;
    begin
      return format('%s-%s-%s', $1, to_char(now() at time zone 'UTC', 'YYYY'),
        to_char(rowgate_numbers.scatter(nextval(series)), 'FM9999999000000'));
    end
  $$;
comment on function rowgate_numbers.new_number(text) is
  'Returns the next number of the series INV, REC or CASE, e.g. REC-2026-048213, with the year in UTC.';

-- The trigger's owner calls the functions, so roles need no privilege on the series.
create function rowgate_numbers.assign() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
    begin
      return jsonb_populate_record(new, jsonb_build_object(tg_argv[0],
        case tg_argv[1] when 'RF' then rowgate_numbers.new_reference() else rowgate_numbers.new_number(tg_argv[1]) end));
    end
  $$;
comment on function rowgate_numbers.assign() is
  'Writes a new number into the column that the first argument names. The second argument is INV, REC, CASE or RF.';

-- The defaults of these columns contain a UUID. They stand for a number that the trigger assigns.
create trigger assign_number before insert on public.invoice for each row
  when (new.invoice_number ~ '^INV-[0-9a-f]{8}-[0-9a-f-]{27}$') execute function rowgate_numbers.assign('invoice_number', 'INV');
create trigger assign_number before insert on public.receipt for each row
  when (new.receipt_number ~ '^REC-[0-9a-f]{8}-[0-9a-f-]{27}$') execute function rowgate_numbers.assign('receipt_number', 'REC');
create trigger assign_number before insert on public."case" for each row
  when (new.case_number ~ '^CASE-[0-9a-f]{8}-[0-9a-f-]{27}$') execute function rowgate_numbers.assign('case_number', 'CASE');
create trigger assign_number before insert on public.fiat_deposit_request for each row
  when (new.bank_reference ~ '^DEP-[0-9a-f]{8}-[0-9a-f-]{27}$') execute function rowgate_numbers.assign('bank_reference', 'RF');
create trigger assign_number before insert on public.fiat_withdrawal_request for each row
  when (new.bank_reference ~ '^WDR-[0-9a-f]{8}-[0-9a-f-]{27}$') execute function rowgate_numbers.assign('bank_reference', 'RF');

comment on column public.invoice.invoice_number is 'Number printed on the invoice, unique among all invoices. Assigned if it is not given.';
comment on column public.receipt.receipt_number is 'Number printed on the receipt, unique among all receipts.';
comment on column public."case".case_number is 'Case number for correspondence, unique among all cases.';
comment on column public.fiat_deposit_request.bank_reference is 'Reference for the bank transfer, by which the payment is recognized: a creditor reference of ISO 11649.';
comment on column public.fiat_withdrawal_request.bank_reference is 'Reference on the bank transfer: a creditor reference of ISO 11649.';

-- Risks were part of the case number, so that a verification had one case per combination of findings.
create table rowgate_webhooks.risk_case (
  kyc_profile_id uuid not null references public.kyc_profile on delete cascade,
  risks text not null,
  primary key (kyc_profile_id, risks)
);
comment on table rowgate_webhooks.risk_case is 'Findings of verifications for which a case was opened.';
insert into rowgate_webhooks.risk_case (kyc_profile_id, risks)
  select p.id, pg_catalog.substr(c.case_number, 42)
  from public."case" c
  join public.kyc_profile p on c.case_number like 'KYC-' || p.id || '-%'
  on conflict do nothing;

-- Existing rows: numbers that contain a UUID, and numbers that several rows share, are replaced. Invoices and receipts
-- keep their year. References that a bank may already know stay.
with renumbered as (
  select i.id, i.invoice_number, pg_catalog.to_char(coalesce(i.issued_on, i.created_at), 'YYYY') as year,
    pg_catalog.row_number() over (partition by i.invoice_number order by i.created_at, i.id) > 1 as is_shared
  from public.invoice i
), noted as (
  insert into rowgate_numbers.earlier (table_name, row_id, number)
  select 'invoice', r.id, r.invoice_number from renumbered r
  where r.is_shared or r.invoice_number ~ '^INV-[0-9a-f]{8}-[0-9a-f-]{27}$'
  returning row_id
)
update public.invoice i
  set invoice_number = pg_catalog.regexp_replace(rowgate_numbers.new_number('INV'), '-\d+-', '-' || r.year || '-')
  from noted n join renumbered r on r.id = n.row_id where i.id = n.row_id;

with renumbered as (
  select r.id, r.receipt_number, pg_catalog.to_char(r.issued_at, 'YYYY') as year,
    pg_catalog.row_number() over (partition by r.receipt_number order by r.issued_at, r.id) > 1 as is_shared
  from public.receipt r
), noted as (
  insert into rowgate_numbers.earlier (table_name, row_id, number)
  select 'receipt', r.id, r.receipt_number from renumbered r
  where r.is_shared or r.receipt_number ~ '^REC-[0-9a-f]{8}-[0-9a-f-]{27}$'
  returning row_id
)
update public.receipt t
  set receipt_number = pg_catalog.regexp_replace(rowgate_numbers.new_number('REC'), '-\d+-', '-' || r.year || '-')
  from noted n join renumbered r on r.id = n.row_id where t.id = n.row_id;

with renumbered as (
  select c.id, c.case_number, pg_catalog.to_char(c.created_at, 'YYYY') as year,
    pg_catalog.row_number() over (partition by c.case_number order by c.created_at, c.id) > 1 as is_shared
  from public."case" c
), noted as (
  insert into rowgate_numbers.earlier (table_name, row_id, number)
  select 'case', r.id, r.case_number from renumbered r
  where r.is_shared or r.case_number ~ '^(CASE|KYC)-[0-9a-f]{8}-[0-9a-f-]{27}'
  returning row_id
)
update public."case" c
  set case_number = pg_catalog.regexp_replace(rowgate_numbers.new_number('CASE'), '-\d+-', '-' || r.year || '-')
  from noted n join renumbered r on r.id = n.row_id where c.id = n.row_id;

update public.fiat_deposit_request set bank_reference = rowgate_numbers.new_reference()
  where status in ('draft', 'submitted') and bank_reference ~ '^DEP-[0-9a-f]{8}-[0-9a-f-]{27}$';
update public.fiat_withdrawal_request set bank_reference = rowgate_numbers.new_reference()
  where status in ('draft', 'submitted') and bank_reference ~ '^WDR-[0-9a-f]{8}-[0-9a-f-]{27}$';

-- Only accounting writes invoice numbers, and accounting sees all invoices. So the index reveals nothing to clients.
create unique index invoice_invoice_number_key on public.invoice (invoice_number);

create or replace function rowgate_webhooks.open_risk_case(profile public.kyc_profile) returns uuid
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      risks text := concat_ws('-', case when $1.risk_level = 'high' then 'HIGH' end,
        case when $1.is_pep then 'PEP' end, case when $1.is_sanctioned then 'SANCTIONED' end);
      findings text := concat_ws(', ', case when $1.risk_level = 'high' then 'high risk' end,
        case when $1.is_pep then 'politically exposed' end, case when $1.is_sanctioned then 'on a sanctions list' end);
      opened public."case";
    begin
      if risks = '' then return null; end if;
      insert into rowgate_webhooks.risk_case (kyc_profile_id, risks) values ($1.id, risks) on conflict do nothing;
      if not found then return null; end if;
      insert into public."case" (organization_id, user_id, title, kind, status, priority, summary, opened_at)
        values ($1.organization_id, $1.user_id, 'Verification that needs a closer look',
          case when $1.is_sanctioned then 'aml_alert' else 'kyc_review' end, 'open',
          case when $1.is_sanctioned then 'urgent' else 'high' end, 'The verification says: ' || findings, now())
        returning * into opened;
      perform rowgate_webhooks.notify_role(null, 'compliance', 'case', 'A verification needs a closer look',
        format('%s: %s', opened.case_number, findings), null);
      return opened.id;
    end
  $$;

revoke all on all functions in schema rowgate_numbers from public;
