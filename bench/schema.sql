create table organization (
  id uuid primary key,
  tenant_id int not null,
  name text not null,
  country text not null
);
create table wallet (
  id uuid primary key,
  tenant_id int not null,
  organization_id uuid not null references organization,
  name text not null,
  balance numeric(20, 8) not null,
  currency text not null,
  active boolean not null,
  created_at timestamptz not null
);
create table note (
  id uuid primary key default gen_random_uuid(),
  tenant_id int not null,
  organization_id uuid not null references organization,
  text text not null,
  written_at date not null default date '2026-01-01'
);
create index on organization (tenant_id);
create index on note (organization_id);
create index on note (tenant_id);
create index on wallet (organization_id);
create index on wallet (tenant_id);

insert into organization
select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, n % 2, 'Organization ' || n, 'CH'
from generate_series(1, 400) n;

insert into wallet
select ('10000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, o % 2,
  ('00000000-0000-4000-8000-' || lpad(o::text, 12, '0'))::uuid,
  'Wallet ' || n, n * 1.25, 'CHF', n % 3 > 0, timestamptz '2026-01-01' + n * interval '1 minute'
from generate_series(1, 20000) n, lateral (select n % 400 + 1 as o) x;

analyze;
