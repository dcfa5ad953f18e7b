import { type GraphQLSchema, parse, validate, validateSchema } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { everyAggregate, reckon } from './aggregates.ts';
import { columnConditions, relatedConditions, type Twins } from './conditions.ts';
import { hostileForms, idleHeaders, variablesRead } from './headers.ts';
import { markersIn } from './markers.ts';
import { attempts } from './mutations.ts';
import { expectedRoots, unexpectedNames } from './names-shown.ts';
import { byKey, columnOrders, isExplained, relatedOrders } from './orders.ts';
import { headersOf, Probe } from './probe.ts';
import { messageAbout, refusals } from './refusals.ts';
import type { RoleView } from './role-view.ts';
import { gone, readRows, removeOthers } from './rows.ts';
import { keyTwins, selections, Tree } from './selections.ts';
import { isOfPlugin, type Root, rootsOf } from './shape.ts';
import { removeTrap, setTrap, traps } from './trap.ts';
import { makeWorld, roleNames, type World } from './world.ts';
import { wrongArguments, wrongOperands } from './wrong-values.ts';

let world: World;
/** One probe for each role. The probe collects the values that the role has received. */
const walks: Probe[] = [];
/** The error code of the response to each attempted write, or `none`. */
const tried: string[] = [];
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.stop());

// Every role reads before any test writes. The last tests check everything that the roles have received.
describe('the leak test, which plants markers in every hidden value', { shuffle: false }, () => {
  describe.each(roleNames)('the role %s', (name) => {
    let roleView: RoleView;
    let probe: Probe;
    let schema: GraphQLSchema;
    let roots: readonly Root[];
    const rootsOfKind = (kind: Root['kind']) => roots.filter((root) => root.kind === kind);

    beforeAll(async () => {
      roleView = await world.roleViewOf(name);
      probe = new Probe(world.server, roleView);
      walks.push(probe);
      schema = await probe.introspect();
      roots = rootsOf(schema, world.model);
    });

    /**
     * Sends both queries of each pair. Returns the pairs whose responses distinguish a hidden row from a missing row.
     */
    async function distinguishable(twins: readonly Twins[], say = (field: string) => field) {
      const foreign = await probe.fields(twins.map((twin) => say(twin.foreign)));
      const absent = await probe.differentFields(twins.map((twin) => say(twin.absent)));
      const differ = (i: number) => JSON.stringify(foreign[i]) !== JSON.stringify(absent[i]);
      return twins.filter((_, i) => differ(i)).map((twin) => say(twin.foreign).slice(0, 500));
    }

    test('has exactly the root fields, types and columns of its rules in its schema', () => {
      expect(roots.map((root) => root.name).toSorted()).toEqual(
        expectedRoots(world.model, roleView),
      );
      expect(unexpectedNames(schema, world.model, roleView)).toEqual([]);
    });

    test('receives every value that its rules show, and no hidden value within three relationships', async () => {
      const deep = new Tree();
      await probe.fields(
        roots.flatMap((root) => selections(root, roleView, deep)),
        4,
      );
      expect(probe.takeLeaks()).toEqual([]);
      expect([...probe.unseen].map((key) => roleView.expected.get(key))).toEqual([]);
    });

    test('sees rows in every table that it may select from, so that this test can find leaks', () => {
      const tables = [...roleView.role.tables]
        .filter(([, { select }]) => select)
        .map(([key]) => key);
      expect(tables.filter((key) => roleView.rows.get(key)?.length === 0)).toEqual([]);
    });

    test('gets the same answer for a hidden row as for a missing row', async () => {
      const keys = rootsOfKind('key').flatMap((root) => keyTwins(root, roleView));
      expect(await distinguishable(keys)).toEqual([]);
      const met = new Set<string>();
      for (const root of rootsOfKind('list')) {
        const conditions = [
          columnConditions(schema, roleView, root.table),
          relatedConditions(schema, world.model, roleView, root.table, met),
        ];
        const say = (where: string) => `${root.name}(where: ${where}) { __typename }`;
        const twins = conditions.flatMap((one) => one.twins);
        expect(await distinguishable(twins, say)).toEqual([]);
        await probe.fields(conditions.flatMap(({ others }) => others.map(say)));
      }
      expect(probe.takeLeaks()).toEqual([]);
    });

    test('gets counts and sums over visible rows only', async () => {
      for (const root of rootsOfKind('aggregate')) {
        const [answer] = await probe.fields([everyAggregate(root)]);
        expect(answer).toEqual(await reckon(world, root, roleView));
        const { twins } = columnConditions(schema, roleView, root.table);
        const say = (where: string) => `${root.name}(where: ${where}) { aggregate { count } }`;
        expect(await distinguishable(twins, say)).toEqual([]);
      }
      expect(probe.takeLeaks()).toEqual([]);
    });

    test('gets rows in an order that visible values explain, when it orders by any column or relationship', async () => {
      const met = new Set<string>();
      for (const root of rootsOfKind('list')) {
        await probe.fields(columnOrders(schema, root));
        const [inOrder] = await probe.fields([byKey(root)]);
        const orders = relatedOrders(schema, root, met);
        const answers = await probe.fields(orders.map(({ field }) => field));
        const odd = orders.filter(
          ({ way }, i) => !isExplained(answers[i] as unknown[], way, inOrder as unknown[]),
        );
        expect(odd.map(({ field }) => field)).toEqual([]);
      }
      expect(probe.takeLeaks()).toEqual([]);
    });

    test('gets the same message for a hidden name as for a name that does not exist', async () => {
      const all = refusals(world.model, roleView);
      const hidden = await probe.ask(all.map(({ hidden: query }) => ({ query })));
      const missing = await probe.askDifferent(all.map((refusal) => refusal.missing));
      const differ = all.filter(
        ({ name: own }, i) =>
          JSON.stringify(hidden[i]) !== messageAbout(missing[i] ?? {}, own) || !hidden[i]?.errors,
      );
      expect(differ.map((refusal) => refusal.hidden)).toEqual([]);
      expect(probe.takeLeaks()).toEqual([]);
    });

    test('receives no hidden value in errors about values of the wrong type', async () => {
      const turn = roleNames.indexOf(name);
      const operations = [...wrongOperands(schema, roots, turn), ...wrongArguments(roots, turn)];
      const answers = await probe.ask(operations);
      const codes = answers.map(({ errors }) => errors?.[0]?.extensions.code);
      expect(operations.filter((_, i) => codes[i] === 'unexpected')).toEqual([]);
      expect(probe.takeLeaks()).toEqual([]);
    });

    test('gets the same rows when it sends variables that its rules do not read', async () => {
      const idle = idleHeaders(world.model, roleView.role, world.others);
      const moved = new Probe(world.server, roleView, {
        ...headersOf(name, roleView.variables),
        ...idle,
      });
      const fields = roots.flatMap((root) => selections(root, roleView)[0] ?? []);
      expect(await moved.fields(fields)).toEqual(await probe.fields(fields));
      expect(moved.takeLeaks()).toEqual([]);
    });

    test('receives no hidden value for missing or invented variables', async () => {
      const operations = rootsOfKind('list').map((root) => ({
        query: `{ ${selections(root, roleView)[0]} }`,
      }));
      for (const variable of variablesRead(roleView.role)) {
        for (const form of ['', ...hostileForms(roleView.variables[variable] ?? '')]) {
          const headers = headersOf(name, { ...roleView.variables, [variable]: form });
          const hostile = new Probe(world.server, roleView, headers);
          await hostile.ask(operations);
          expect(hostile.takeLeaks()).toEqual([]);
        }
      }
      for (const variable of roleView.role.requires) {
        const headers = headersOf(name, { ...roleView.variables, [variable]: '' });
        const answers = await new Probe(world.server, roleView, headers).ask(operations);
        expect(answers.filter(({ data }) => data)).toEqual([]);
      }
    });
  });

  describe('the leak test over all roles', () => {
    const sum = (count: (probe: Probe) => number) =>
      walks.reduce((total, probe) => total + count(probe), 0);

    test('has sent enough queries and planted enough markers to be meaningful', () => {
      expect(walks.length).toBeGreaterThanOrEqual(20);
      expect(world.planted.length).toBeGreaterThan(600);
      expect(sum(({ roleView }) => roleView.expected.size)).toBeGreaterThan(15_000);
      expect(sum(({ roleView }) => roleView.forbidden.size)).toBeGreaterThan(50_000);
      expect(sum(({ tally }) => tally.fields)).toBeGreaterThan(10_000);
      expect(sum(({ tally }) => tally.operations)).toBeGreaterThan(20_000);
    });

    test.each(traps)(
      'reveals no hidden value when the database raises an error %s',
      async (_name, statement) => {
        const name = 'organization_admin';
        const probe = new Probe(world.server, await world.roleViewOf(name));
        await setTrap(world.client, 'public.digital_wallet', statement);
        const answers = await probe.ask([{ query: '{ digital_wallet { id } }' }]);
        await removeTrap(world.client, 'public.digital_wallet');
        expect(answers).toMatchObject([{ errors: [{ message: expect.any(String) }] }]);
        expect(probe.takeLeaks()).toEqual([]);
      },
    );

    test.each(roleNames)(
      'lets %s change no row outside its rules, and gives the same answer for hidden and missing rows',
      async (name) => {
        const probe = walks.find(({ roleView }) => roleView.role.name === name);
        if (!probe) throw new Error(`${name} has not walked`);
        const schema = await probe.introspect();
        expect(validateSchema(schema)).toEqual([]);
        const all = attempts(schema, world.model, probe.roleView);
        const mutations = Object.keys(schema.getMutationType()?.getFields() ?? {});
        const fields = mutations.filter((field) => !isOfPlugin(world.model, field));
        expect([...new Set(all.map(({ field }) => field))]).toEqual(fields);
        expect(all.flatMap(({ query }) => validate(schema, parse(query)))).toEqual([]);
        const before = await readRows(world);
        // These queries run before any insert, because inserts use values of rows that do not exist.
        const twins = all.flatMap((one) =>
          one.twin === undefined ? [] : [{ ...one, twin: one.twin }],
        );
        const foreign = await probe.ask(twins);
        const absent = await probe.askDifferent(twins.map(({ twin }) => twin));
        const differ = twins.filter(
          (_, i) => JSON.stringify(foreign[i]) !== JSON.stringify(absent[i]),
        );
        expect(differ.map(({ query }) => query)).toEqual([]);
        const others = await probe.ask(all.filter(({ twin }) => twin === undefined));
        const after = await readRows(world);
        expect(gone(before, after, probe.roleView)).toEqual([]);
        await removeOthers(world, before, after);
        const errors = [...foreign, ...others].flatMap((answer) => answer.errors?.[0] ?? []);
        expect(
          errors.filter(({ extensions: { code } }) => !/^(const|perm|not-supported)/.test(code)),
        ).toEqual([]);
        expect(probe.takeLeaks()).toEqual([]);
        tried.push(...all.map((_, i) => errors[i]?.extensions.code ?? 'none'));
      },
    );

    test('has attempted more than 1000 writes', () => {
      expect(tried.length).toBeGreaterThan(1000);
    });

    test('has received every kind of response to a write', () => {
      const answers = ['none', 'constraint-violation', 'not-supported', 'permission-error'];
      expect(new Set(tried)).toEqual(new Set(answers));
    });

    test('has written no hidden value to the log of the server', () => {
      // At this level the server logs the headers of a request. They are the caller's own texts, so this is not a leak.
      const lines = world.log.text.split('\n').filter((line) => line !== '');
      const records = lines.map((line) =>
        JSON.stringify({ ...JSON.parse(line), headers: undefined }),
      );
      // A request contains at most ten operations.
      const requests = records.filter((line) => line.includes('"msg":"request"'));
      expect(requests.length).toBeGreaterThanOrEqual(sum(({ tally }) => tally.operations) / 10);
      expect(records.filter((line) => line.includes('"err"'))).not.toEqual([]);
      const all = new Map(walks.flatMap(({ roleView }) => [...roleView.forbidden]));
      const found = [...markersIn(records.join('\n'))].filter((key) => all.has(key));
      expect(found.map((key) => all.get(key))).toEqual([]);
    });
  });
});
