/** The rule before, the rule after, and the verdict. */
export type KnownPair = readonly [
  what: string,
  before: object,
  after: object,
  verdict: 'same' | 'wider' | 'narrower' | 'crossed' | 'undecided',
  options?: { readonly table?: string },
];

const user = 'X-Gql-User-Id';
const branch = 'X-Gql-Library-Id';
const all = {};
const none = { _or: [] };
const some = (table: string, where: object) => ({ _exists: { _table: table, _where: where } });

const logic: readonly KnownPair[] = [
  ['a double negation', { days: 3 }, { _not: { _not: { days: 3 } } }, 'same'],
  ['items in another order', { days: 3, note: 'x' }, { note: 'x', days: 3 }, 'same'],
  [
    'a negated and',
    { _not: { _and: [{ days: 3 }, { note: 'x' }] } },
    { _or: [{ _not: { days: 3 } }, { _not: { note: 'x' } }] },
    'same',
  ],
  [
    'a negated or',
    { _not: { _or: [{ days: 3 }, { note: 'x' }] } },
    { _and: [{ _not: { note: 'x' } }, { _not: { days: 3 } }] },
    'same',
  ],
  [
    'a factored or',
    {
      _or: [
        { days: 3, note: 'x' },
        { days: 3, note: 'y' },
      ],
    },
    { days: 3, note: { _in: ['y', 'x'] } },
    'same',
  ],
  [
    'an absorbed item',
    { status: 'a' },
    { _or: [{ status: 'a' }, { status: 'a', days: 1 }] },
    'same',
  ],
  ['every row, then none', all, none, 'narrower'],
  ['no row, then every row', none, all, 'wider'],
  ['a contradiction and no row', { status: { _eq: 'a', _in: ['b', 'c'] } }, none, 'same'],
  [
    'a tautology on a filled column',
    { _or: [{ status: 'a' }, { status: { _neq: 'a' } }] },
    all,
    'same',
  ],
  ['a tautology that nulls break', { _or: [{ days: 1 }, { _not: { days: 1 } }] }, all, 'wider'],
  ['an implied item', { days: { _gt: 7 } }, { days: { _gt: 7, _gte: 2 } }, 'same'],
  ['a dropped item', { status: 'a', library_id: branch }, { library_id: branch }, 'wider'],
  ['an added item', { library_id: branch }, { library_id: branch, is_lost: true }, 'narrower'],
  ['another column', { lent_by: user }, { checked_by: user }, 'crossed'],
  [
    'an and turned into an or',
    { _and: [{ days: 1 }, { note: 'x' }] },
    { _or: [{ days: 1 }, { note: 'x' }] },
    'wider',
  ],
];

const nulls: readonly KnownPair[] = [
  ['an implied not-null', { days: { _gt: 7 } }, { days: { _gt: 7, _is_null: false } }, 'same'],
  ['_neq, which lets nulls through', { _not: { days: 1 } }, { days: { _neq: 1 } }, 'wider'],
  ['_neq without nulls', { _not: { days: 1 } }, { days: { _neq: 1, _is_null: false } }, 'same'],
  ['_neq of a filled column', { _not: { status: 'a' } }, { status: { _neq: 'a' } }, 'same'],
  ['_nin instead of _neq', { days: { _neq: 1 } }, { days: { _nin: [1] } }, 'narrower'],
  ['a null test of a filled column', { status: { _is_null: true } }, none, 'same'],
  ['an empty _in', { days: { _in: [] } }, none, 'same'],
  ['an empty _nin', { days: { _nin: [] } }, all, 'same'],
  ['a negated unknown', { _not: { days: { _gt: 1 } } }, { days: { _lte: 1 } }, 'same'],
  [
    'a null that becomes visible',
    { _not: { days: { _gt: 1 } } },
    { _or: [{ days: { _lte: 1 } }, { days: { _is_null: true } }] },
    'wider',
  ],
  [
    'four eyes that nulls escape',
    { lent_by: { _neq: user, _is_null: false } },
    { lent_by: { _neq: user } },
    'wider',
  ],
];

const values: readonly KnownPair[] = [
  [
    '_in and alternatives',
    { status: { _in: ['a', 'b'] } },
    { _or: [{ status: 'b' }, { status: 'a' }] },
    'same',
  ],
  ['a longer _in', { status: { _in: ['a', 'b'] } }, { status: { _in: ['a', 'b', 'c'] } }, 'wider'],
  ['a shorter _in', { status: { _in: ['a', 'b'] } }, { status: 'b' }, 'narrower'],
  ['a shifted _in', { status: { _in: ['a', 'b'] } }, { status: { _in: ['b', 'c'] } }, 'crossed'],
  ['a shorter _nin', { status: { _nin: ['a', 'b'] } }, { status: { _nin: ['a'] } }, 'wider'],
  ['a raised limit', { days: { _lte: 10 } }, { days: { _lte: 11 } }, 'wider'],
  ['a limit between whole numbers', { days: { _lte: 10 } }, { days: { _lt: 11 } }, 'same'],
  ['a limit between decimals', { fee: { _lte: 10 } }, { fee: { _lt: 11 } }, 'wider'],
  ['two spellings of a number', { fee: '1.50' }, { fee: '1.5' }, 'same'],
  ['a range with one whole number', { days: { _gt: 3, _lt: 5 } }, { days: 4 }, 'same'],
  ['a range without a whole number', { days: { _gt: 3, _lt: 4 } }, none, 'same'],
  [
    'a range without one of its numbers',
    { days: { _gt: 3, _lt: 6, _neq: 4 } },
    { days: 5 },
    'same',
  ],
  ['a large number', { copies: '9007199254740993' }, { copies: '9007199254740992' }, 'crossed'],
  ['days of a date', { due: { _lt: '2025-03-01' } }, { due: { _lte: '2025-02-28' } }, 'same'],
  [
    'spellings of an instant',
    { lent_at: { _gt: '2025-01-01T00:00:00Z' } },
    { lent_at: { _gt: '2025-01-01T01:00:00+01:00' } },
    'same',
  ],
  [
    'a later instant',
    { lent_at: { _gt: '2025-01-01T00:00:00Z' } },
    { lent_at: { _gt: '2025-01-02T00:00:00Z' } },
    'narrower',
  ],
  [
    'both booleans',
    { _or: [{ is_lost: true }, { is_lost: false }] },
    { is_lost: { _is_null: false } },
    'same',
  ],
  ['one of two booleans', { is_lost: { _neq: true, _is_null: false } }, { is_lost: false }, 'same'],
  [
    'all labels of an enum',
    { grade: { _in: ['junior', 'senior', 'chief'] } },
    { grade: { _is_null: false } },
    'same',
  ],
  [
    'the order of an enum',
    { grade: { _gt: 'junior' } },
    { grade: { _in: ['senior', 'chief'] } },
    'same',
  ],
  ['letters of a citext', { mail: 'A@b' }, { mail: 'a@B' }, 'same', { table: 'member' }],
  ['letters of a text', { note: 'A' }, { note: 'a' }, 'crossed'],
  [
    'spellings of a uuid',
    { id: '6B29FC40-CA47-1067-B31D-00DD010662DA' },
    { id: '6b29fc40-ca47-1067-b31d-00dd010662da' },
    'same',
  ],
  ['a float', { weight: { _gt: 1 } }, { weight: { _gt: 1, _is_null: false } }, 'same'],
  ['equal columns', { days: { _ceq: 'lent_by' }, lent_by: 3 }, { days: 3, lent_by: 3 }, 'same'],
  [
    'ordered columns',
    { days: { _clt: 'lent_by' }, lent_by: { _lt: 3 } },
    { days: { _clt: 'lent_by', _lt: 2 }, lent_by: { _lt: 3 } },
    'same',
  ],
  [
    'a column compared with itself',
    { days: { _ceq: 'days' } },
    { days: { _is_null: false } },
    'same',
  ],
];

const patterns: readonly KnownPair[] = [
  ['a narrower pattern', { note: { _like: 'a%' } }, { note: { _like: 'ab%' } }, 'narrower'],
  ['a pattern of every text', { note: { _like: '%' } }, { note: { _is_null: false } }, 'same'],
  ['a pattern without wildcard', { note: { _like: 'ab' } }, { note: { _like: 'a_' } }, 'wider'],
  ['a text within a pattern', { note: { _eq: 'abc', _like: 'a%' } }, { note: 'abc' }, 'same'],
  ['a text outside of a pattern', { note: { _eq: 'abc', _nlike: 'a%' } }, none, 'same'],
  ['_like and _ilike', { note: { _like: 'ab%' } }, { note: { _ilike: 'ab%' } }, 'wider'],
  [
    'the opposite of a pattern',
    { note: { _nlike: 'a%' } },
    { _not: { note: { _like: 'a%' } } },
    'same',
  ],
  [
    'a document that must hold more',
    { details: { _contains: { a: 1 } } },
    { details: { _contains: { a: 1 } }, days: 1 },
    'narrower',
  ],
  ['texts in a collation that ignores case', { label: 'A' }, { label: 'a' }, 'undecided'],
  ['texts in such a collation, kept', { label: 'A', days: 1 }, { days: 1, label: 'A' }, 'same'],
  [
    'two texts that such a collation may find equal',
    { label: 'a', _and: [{ label: 'A' }] },
    { _or: [] },
    'undecided',
  ],
  [
    'a regular expression kept',
    { code: { _regex: '^\\d' }, days: 1 },
    { days: 1, code: { _regex: '^\\d' } },
    'same',
  ],
  [
    'a regular expression changed',
    { code: { _regex: '^\\d' } },
    { code: { _regex: '^\\d\\d' } },
    'undecided',
  ],
  [
    'a computed field kept',
    { rank: { _gt: 1 }, days: 1 },
    { days: { _lt: 2, _gt: 0 }, rank: { _gt: 1 } },
    'same',
  ],
  ['a computed field changed', { rank: { _gt: 1 } }, { rank: { _gt: 2 } }, 'undecided'],
  [
    'a condition on computed rows',
    { same_copies: { days: { _in: [1, 2] } } },
    { same_copies: { _or: [{ days: 2 }, { days: 1 }] } },
    'same',
  ],
  ['the order of texts', { note: { _gt: 'a' } }, { note: { _gt: 'b' } }, 'undecided'],
  [
    'the order of a text and itself',
    { note: { _gte: 'b' } },
    { _or: [{ note: { _gt: 'b' } }, { note: 'b' }] },
    'same',
  ],
];

const variables: readonly KnownPair[] = [
  ['another variable', { lent_by: user }, { lent_by: branch }, 'crossed'],
  [
    'a variable that is no longer read',
    { _and: [{ status: 'a' }, { _or: [{ status: 'a' }, { lent_by: user }] }] },
    { status: 'a' },
    'wider',
  ],
  [
    'a variable more',
    { status: 'a' },
    { _and: [{ status: 'a' }, { _or: [{ status: 'a' }, { lent_by: user }] }] },
    'narrower',
  ],
  [
    'a variable in a list',
    { lent_by: user },
    { lent_by: { _in: [user, 'X-Gql-Deputy-Id'] } },
    'crossed',
  ],
  [
    'a variable list kept',
    { lent_by: { _in: 'X-Gql-Users' }, days: 1 },
    { lent_by: { _in: 'X-Gql-Users' } },
    'wider',
  ],
  [
    'the opposite of a variable list',
    { _not: { lent_by: { _in: 'X-Gql-Users' } } },
    { lent_by: { _nin: 'X-Gql-Users' } },
    'same',
  ],
  [
    'a column equal by a variable',
    { lent_by: user, checked_by: user },
    { lent_by: user, checked_by: { _ceq: 'lent_by' } },
    'same',
  ],
  ['the current time', { lent_at: { _lt: 'now' } }, { lent_at: { _lte: 'now' } }, 'wider'],
  [
    'the current time in both',
    { lent_at: { _lt: 'now' }, days: 1 },
    { days: 1, lent_at: { _lt: 'now' } },
    'same',
  ],
];

const rows: readonly KnownPair[] = [
  ['a related condition dropped', { member: { is_active: true } }, { member: {} }, 'wider'],
  ['a relationship dropped', { member: {} }, all, 'wider'],
  ['a relationship that is certain', { library: {} }, all, 'same'],
  ['a certain relationship with a condition', { library: { is_open: true } }, all, 'wider'],
  [
    'a negated condition on a certain row',
    { _not: { library: { is_open: true } } },
    { library: { is_open: false } },
    'same',
  ],
  [
    'a negated condition on a row that can be missing',
    { _not: { member: { library_id: 1 } } },
    { member: { library_id: { _neq: 1 } } },
    'narrower',
  ],
  [
    'two conditions on one row',
    { member: { is_active: true, points: 1 } },
    { _and: [{ member: { is_active: true } }, { member: { points: 1 } }] },
    'same',
  ],
  [
    'two conditions on one of several rows',
    { members: { is_active: true, points: 1 } },
    { _and: [{ members: { is_active: true } }, { members: { points: 1 } }] },
    'wider',
    { table: 'library' },
  ],
  [
    'alternatives of one of several rows',
    { members: { points: { _in: [1, 2] } } },
    { _or: [{ members: { points: 1 } }, { members: { points: 2 } }] },
    'same',
    { table: 'library' },
  ],
  ['a key instead of its row', { library: { id: branch } }, { library_id: branch }, 'same'],
  [
    'a key of a key',
    { member: { library: { id: branch } } },
    { member: { library_id: branch } },
    'same',
  ],
  [
    'a shorter path',
    { member: { library: { id: branch } } },
    { library: { id: branch } },
    'crossed',
  ],
  [
    'a relationship spelled out',
    { member: { is_active: true } },
    some('member', { id: { _ceq: ['$', 'member_id'] }, is_active: true }),
    'same',
  ],
  [
    'the rule of a membership',
    some('member', { id: user, is_active: true }),
    some('member', { id: user }),
    'wider',
  ],
  [
    'another row in the membership',
    some('member', { id: user, library_id: { _ceq: ['$', 'library_id'] } }),
    some('member', { id: user }),
    'wider',
  ],
  [
    'no row at all',
    { _not: some('member', { is_active: true }) },
    { _not: some('member', { is_active: { _is_null: false } }) },
    'narrower',
  ],
  [
    'a parent of a parent',
    { parent: { parent: { is_open: true } } },
    { parent: { is_open: true } },
    'crossed',
    { table: 'library' },
  ],
  ['an impossible related row', { member: { points: { _gt: 1, _lt: 2 } } }, none, 'same'],
];

export const knownPairs: readonly KnownPair[] = [
  ...logic,
  ...nulls,
  ...values,
  ...patterns,
  ...variables,
  ...rows,
];
