import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorOf } from './support/error-of.ts';
import { type Gateway, memberOf, one, startGateway } from './support/gateway.ts';

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

const hint = '; it does not exist or role "member" has no permission for it';
const asMember = async (query: string, variables?: unknown) =>
  errorOf(await gateway.ask(query, { ...memberOf(one), with: variables }));

/**
 * A hidden column, and a column that does not exist. The errors for both must be equal, so that they do not reveal
 * which one exists.
 */
const names = [['secret_rating'], ['no_such_column']] as const;

describe.each(names)(
  'the column %s, which either is hidden from the role or does not exist,',
  (name) => {
    test('is refused in a selection', async () => {
      expect(await asMember(`{ article { ${name} } }`)).toBe(
        `validation-failed $.selectionSet.article.selectionSet.${name} field '${name}' not found in type: 'article'${hint}`,
      );
    });

    test('is refused in where', async () => {
      expect(await asMember(`{ article(where: {${name}: {_eq: 5}}) { id } }`)).toBe(
        `validation-failed $.selectionSet.article.args.where.${name} field '${name}' not found in type: 'article_bool_exp'${hint}`,
      );
    });

    test('is refused in where through a variable', async () => {
      const query = 'query ($w: article_bool_exp) { article(where: $w) { id } }';
      expect(await asMember(query, { w: { [name]: { _eq: 5 } } })).toBe(
        `validation-failed $.selectionSet.article.args.where.${name} field '${name}' not found in type: 'article_bool_exp'${hint}`,
      );
    });

    test('is refused in order_by', async () => {
      expect(await asMember(`{ article(order_by: {${name}: asc}) { id } }`)).toBe(
        `validation-failed $.selectionSet.article.args.order_by[0].${name} field '${name}' not found in type: 'article_order_by'${hint}`,
      );
    });

    test('is refused in distinct_on', async () => {
      expect(await asMember(`{ article(distinct_on: [${name}]) { id } }`)).toMatch(
        new RegExp(
          `expected one of the values \\[.*\\] for type 'article_select_column', but found '${name}'; it`,
        ),
      );
    });

    test('is refused in distinct_on through a variable', async () => {
      const query = 'query ($c: [article_select_column!]) { article(distinct_on: $c) { id } }';
      expect(await asMember(query, { c: [name] })).toContain(`but found '${name}'${hint}`);
    });

    test('is refused in an aggregate', async () => {
      expect(await asMember(`{ article_aggregate { aggregate { max { ${name} } } } }`)).toContain(
        `field '${name}' not found in type: 'article_max_fields'${hint}`,
      );
      expect(
        await asMember(`{ article_aggregate { aggregate { count(columns: [${name}]) } } }`),
      ).toContain(`but found '${name}'${hint}`);
    });

    test('is refused through a relationship', async () => {
      expect(await asMember(`{ author { articles { ${name} } } }`)).toContain(
        `field '${name}' not found in type: 'article'${hint}`,
      );
      expect(await asMember(`{ author(where: {articles: {${name}: {_eq: 5}}}) { id } }`)).toContain(
        `field '${name}' not found in type: 'article_bool_exp'${hint}`,
      );
      expect(
        await asMember(`{ author(order_by: {articles_aggregate: {max: {${name}: asc}}}) { id } }`),
      ).toContain(`field '${name}' not found in type: 'article_max_order_by'${hint}`);
    });
  },
);

describe('a table in a query', () => {
  test('is refused like a table that does not exist if the role has no rule for it', async () => {
    const message = (name: string) =>
      `validation-failed $.selectionSet.${name} field '${name}' not found in type: 'query_root'${hint}`;
    expect(await asMember('{ setting { name } }')).toBe(message('setting'));
    expect(await asMember('{ no_such_table { name } }')).toBe(message('no_such_table'));
  });

  test('has no aggregate field if its rule lacks allow_aggregations', async () => {
    expect(await asMember('{ organization_aggregate { aggregate { count } } }')).toBe(
      `validation-failed $.selectionSet.organization_aggregate field 'organization_aggregate' not found in type: 'query_root'${hint}`,
    );
  });

  test('has no aggregate field through a relationship if its rule lacks allow_aggregations', async () => {
    const answer = await gateway.ask(
      '{ article { author { articles_aggregate { aggregate { count } } } } }',
      { role: 'reader' },
    );
    expect(answer.errors).toBeUndefined();
    expect(
      await asMember('{ organization { authors_aggregate { aggregate { count } } } }'),
    ).toContain('no single error');
    expect(
      errorOf(
        await gateway.ask('{ author_aggregate { aggregate { count } } }', { role: 'reader' }),
      ),
    ).toContain(`field 'author_aggregate' not found in type: 'query_root'`);
  });

  test('that does not exist is reported to admin without the hint about missing permissions', async () => {
    expect(errorOf(await gateway.ask('{ no_such_table { name } }'))).toBe(
      "validation-failed $.selectionSet.no_such_table field 'no_such_table' not found in type: 'query_root'",
    );
  });
});

describe('introspection of tables and columns', () => {
  const schema =
    '{ __schema { types { name fields { name } inputFields { name } enumValues { name } } } }';

  test('shows a role only the tables, columns and fields that it may use', async () => {
    const text = JSON.stringify(await gateway.ask(schema, { role: 'reader' }));
    expect(text).toContain('"article_aggregate"');
    for (const name of [
      'secret',
      'setting',
      'organization',
      'billing_invoice',
      'author_aggregate',
    ]) {
      expect(text).not.toContain(`"${name}`);
    }
    for (const name of ['views', 'price', 'email', 'numeric', 'jsonb', 'citext']) {
      expect(text).not.toContain(`"${name}`);
    }
  });

  test('shows admin everything', async () => {
    const text = JSON.stringify(await gateway.ask(schema));
    for (const name of ['secret_rating', 'setting', 'billing_invoice_aggregate', 'ltree']) {
      expect(text).toContain(`"${name}"`);
    }
  });

  test('shows a role without any table that no queries exist', async () => {
    expect(await gateway.ask('{ no_queries_available }', { role: 'idle' })).toEqual({
      data: { no_queries_available: 'The role cannot query any table.' },
    });
  });
});
