import { errorOf } from '../../support/error-of.ts';
import { type Answer, type Gateway, startGateway } from '../../support/gateway.ts';

const schema = `
create table doc (
  id integer primary key, owner text, hidden boolean not null default false, n integer default 0, small smallint,
  constraint doc_owner_key unique (owner)
);
create function same(one doc) returns setof doc language sql stable as $$ select * from doc where id = one.id $$;
create function tally(one doc, times integer default 2) returns integer language sql stable as $$ select one.n * times $$;
create function owned_tally(one doc, times integer default 2) returns integer language sql stable security definer
  set search_path = public, pg_temp as $$ select one.n * times $$;
create function touched() returns setof doc language sql volatile as $$ update doc set n = n returning * $$;
revoke execute on function owned_tally(doc, integer) from public;
create view shown_doc as select id, hidden from doc;
create view plain as select id, owner, n from doc;
create table odd (id integer primary key, c citext, l ltree, j jsonb, u uuid, d numeric, list text[]);
create table note (id integer primary key, doc_id integer, word text);
insert into note values (1, 1, 'a'), (2, 2, 'b');
create table stamped (id integer primary key, word text);
create function stamp() returns trigger language plpgsql as $$ begin new.word := upper(new.word); return new; end $$;
create trigger stamp before insert on stamped for each row execute function stamp();
create table bare (id integer generated always as identity primary key, word text default 'w');
create function refuse() returns trigger language plpgsql as $$ begin raise exception 'never'; end $$;
create trigger refuse before update on bare execute function refuse();
`;

const metadata = {
  'roles.yaml':
    'roles: { narrow: {}, wide: {}, upserter: {}, blind: {}, filler: {}, changer: {}, keyless: {}, first: {}, second: {}, inheriting: { inherits: [first, second, wide] } }\n',
  'tables/doc.yaml': `
table: doc
computed_fields:
  same: { function: same }
  tally: { function: tally }
  owned_tally: { function: owned_tally }
permissions:
  narrow:
    select: { filter: { hidden: { _eq: false } }, columns: '*' }
    insert: { check: {}, columns: '*' }
    update: { filter: {}, columns: '*' }
    delete: { filter: {} }
  wide:
    select: { filter: {}, columns: '*', computed_fields: '*' }
    update: { filter: {}, columns: '*' }
    delete: { filter: {} }
  upserter:
    select: { filter: {}, columns: [id, n] }
    insert: { check: { n: { _lt: 10 } }, columns: [id, owner, n] }
    update: { filter: { n: { _gt: 0 } }, columns: [owner, n] }
  keyless:
    select: { filter: {}, columns: [owner, n] }
    insert: { check: {}, columns: [id, owner, n], set: { small: 1 } }
    update: { filter: { n: { _gt: 0 } }, columns: [n, small] }
  blind: { insert: { check: {}, columns: '*' } }
  changer: { select: { filter: {}, columns: [id], computed_fields: [tally] }, update: { filter: {}, columns: [n] } }
`,
  'tables/note.yaml': `
table: note
relationships: { doc: { table: doc, columns: { doc_id: id }, kind: object } }
permissions:
  first: { select: { filter: { id: 1 }, columns: [id, doc_id, word] } }
  second: { select: { filter: {}, columns: [word] }, update: { filter: {}, columns: [word] } }
`,
  'tables/shown_doc.yaml': `
table: shown_doc
permissions:
  narrow:
    select: { filter: { hidden: { _eq: false } }, columns: '*' }
    update: { filter: {}, columns: [hidden] }
`,
  'tables/odd.yaml': 'table: odd\n',
  'functions/touched.yaml': 'function: touched\nexposed_as: query\nrights: owner\n',
  'tables/stamped.yaml': `
table: stamped
permissions:
  keyless: { insert: { check: {}, columns: '*' }, update: { filter: {}, columns: '*' } }
`,
  'tables/bare.yaml': `
table: bare
permissions:
  filler: { insert: { check: {}, columns: [] } }
`,
};

/** A gateway on tables where the differences from Hasura can be observed. */
export interface World {
  readonly gateway: Gateway;
  /** Returns the data of a mutation with one field. */
  data(role: string, field: string): Promise<Answer['data']>;
  /** Returns the error of a refused mutation with one field. */
  error(role: string, field: string): Promise<string>;
}

/** A proof for each line of the documentation's table. */
export type Proofs = Readonly<Record<string, (world: World) => Promise<void>>>;

export async function startWorld(): Promise<World> {
  const gateway = await startGateway({ schema, metadata });
  const ask = (role: string, field: string) => gateway.ask(`mutation { ${field} }`, { role });
  return {
    gateway,
    data: async (role, field) => (await ask(role, field)).data,
    error: async (role, field) => errorOf(await ask(role, field)),
  };
}
