import { type GraphQLSchema, parse, validate, validateSchema } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { everyAggregate, reckon } from './aggregates.ts';
import { Asker, headersOf } from './asker.ts';
import { columnConditions, relatedConditions, type Twins } from './conditions.ts';
import { hostileForms, idleHeaders, variablesRead } from './headers.ts';
import { markersIn } from './markers.ts';
import { attempts } from './mutations.ts';
import { expectedRoots, unlawfulNames } from './names-shown.ts';
import { byKey, columnOrders, isExplained, relatedOrders } from './orders.ts';
import { refusals, toldOf } from './refusals.ts';
import { gone, readRows, removeOthers } from './rows.ts';
import { keyTwins, selections, Tree } from './selections.ts';
import { isOfPlugin, type Root, rootsOf } from './shape.ts';
import type { Sight } from './sight.ts';
import { removeTrap, setTrap, traps } from './trap.ts';
import { makeWorld, roleNames, type World } from './world.ts';
import { wrongArguments, wrongOperands } from './wrong-values.ts';

let world: World;
/** Of all roles. */
const walks: Asker[] = [];
/** The code of the answer to each write, or `none`. */
const tried: string[] = [];
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.stop());

// Each role looks around before anybody writes, and what all have met is looked at last.
describe('the leak test', { shuffle: false }, () => {
  describe.each(roleNames)('%s', (name) => {
    let sight: Sight;
    let asker: Asker;
    let schema: GraphQLSchema;
    let roots: readonly Root[];
    const rootsOfKind = (kind: Root['kind']) => roots.filter((root) => root.kind === kind);

    beforeAll(async () => {
      sight = await world.sightOf(name);
      asker = new Asker(world.server, sight);
      walks.push(asker);
      schema = await asker.introspect();
      roots = rootsOf(schema, world.model);
    });

    /** Asks both of each pair and gives those whose answers differ. */
    async function distinguishable(twins: readonly Twins[], say = (field: string) => field) {
      const foreign = await asker.fields(twins.map((twin) => say(twin.foreign)));
      const absent = await asker.differentFields(twins.map((twin) => say(twin.absent)));
      const differ = (i: number) => JSON.stringify(foreign[i]) !== JSON.stringify(absent[i]);
      return twins.filter((_, i) => differ(i)).map((twin) => say(twin.foreign).slice(0, 500));
    }

    test('has exactly the names of its rules in its schema', () => {
      expect(roots.map((root) => root.name).toSorted()).toEqual(expectedRoots(world.model, sight));
      expect(unlawfulNames(schema, world.model, sight)).toEqual([]);
    });

    test('gets every value that its rules show, and no other value within three relationships', async () => {
      const deep = new Tree();
      await asker.fields(
        roots.flatMap((root) => selections(root, sight, deep)),
        4,
      );
      expect(asker.takeLeaks()).toEqual([]);
      expect([...asker.unseen].map((key) => sight.lawful.get(key))).toEqual([]);
    });

    test('has rows in every table that it may select from', () => {
      const tables = [...sight.role.tables].filter(([, { select }]) => select).map(([key]) => key);
      expect(tables.filter((key) => sight.rows.get(key)?.length === 0)).toEqual([]);
    });

    test('cannot distinguish hidden rows from missing rows', async () => {
      const keys = rootsOfKind('key').flatMap((root) => keyTwins(root, sight));
      expect(await distinguishable(keys)).toEqual([]);
      const met = new Set<string>();
      for (const root of rootsOfKind('list')) {
        const conditions = [
          columnConditions(schema, sight, root.table),
          relatedConditions(schema, world.model, sight, root.table, met),
        ];
        const say = (where: string) => `${root.name}(where: ${where}) { __typename }`;
        const twins = conditions.flatMap((one) => one.twins);
        expect(await distinguishable(twins, say)).toEqual([]);
        await asker.fields(conditions.flatMap(({ others }) => others.map(say)));
      }
      expect(asker.takeLeaks()).toEqual([]);
    });

    test('counts and sums only visible rows', async () => {
      for (const root of rootsOfKind('aggregate')) {
        const [answer] = await asker.fields([everyAggregate(root)]);
        expect(answer).toEqual(await reckon(world, root, sight));
        const { twins } = columnConditions(schema, sight, root.table);
        const say = (where: string) => `${root.name}(where: ${where}) { aggregate { count } }`;
        expect(await distinguishable(twins, say)).toEqual([]);
      }
      expect(asker.takeLeaks()).toEqual([]);
    });

    test('gets rows in an order that visible values explain', async () => {
      const met = new Set<string>();
      for (const root of rootsOfKind('list')) {
        await asker.fields(columnOrders(schema, root));
        const [inOrder] = await asker.fields([byKey(root)]);
        const orders = relatedOrders(schema, root, met);
        const answers = await asker.fields(orders.map(({ field }) => field));
        const odd = orders.filter(
          ({ way }, i) => !isExplained(answers[i] as unknown[], way, inOrder as unknown[]),
        );
        expect(odd.map(({ field }) => field)).toEqual([]);
      }
      expect(asker.takeLeaks()).toEqual([]);
    });

    test('gets the same message for a hidden name as for a missing name', async () => {
      const all = refusals(world.model, sight);
      const hidden = await asker.ask(all.map(({ hidden: query }) => ({ query })));
      const missing = await asker.askDifferent(all.map((refusal) => refusal.missing));
      const differ = all.filter(
        ({ name: own }, i) =>
          JSON.stringify(hidden[i]) !== toldOf(missing[i] ?? {}, own) || !hidden[i]?.errors,
      );
      expect(differ.map((refusal) => refusal.hidden)).toEqual([]);
      expect(asker.takeLeaks()).toEqual([]);
    });

    test('learns nothing from values that do not fit their types', async () => {
      const turn = roleNames.indexOf(name);
      const operations = [...wrongOperands(schema, roots, turn), ...wrongArguments(roots, turn)];
      const answers = await asker.ask(operations);
      const codes = answers.map(({ errors }) => errors?.[0]?.extensions.code);
      expect(operations.filter((_, i) => codes[i] === 'unexpected')).toEqual([]);
      expect(asker.takeLeaks()).toEqual([]);
    });

    test('gets the same result with headers that its rules do not read', async () => {
      const idle = idleHeaders(world.model, sight.role, world.others);
      const moved = new Asker(world.server, sight, {
        ...headersOf(name, sight.variables),
        ...idle,
      });
      const fields = roots.flatMap((root) => selections(root, sight)[0] ?? []);
      expect(await moved.fields(fields)).toEqual(await asker.fields(fields));
      expect(moved.takeLeaks()).toEqual([]);
    });

    test('gets no rows for missing or invented variables', async () => {
      const operations = rootsOfKind('list').map((root) => ({
        query: `{ ${selections(root, sight)[0]} }`,
      }));
      for (const variable of variablesRead(sight.role)) {
        for (const form of ['', ...hostileForms(sight.variables[variable] ?? '')]) {
          const headers = headersOf(name, { ...sight.variables, [variable]: form });
          const hostile = new Asker(world.server, sight, headers);
          await hostile.ask(operations);
          expect(hostile.takeLeaks()).toEqual([]);
        }
      }
      for (const variable of sight.role.requires) {
        const headers = headersOf(name, { ...sight.variables, [variable]: '' });
        const answers = await new Asker(world.server, sight, headers).ask(operations);
        expect(answers.filter(({ data }) => data)).toEqual([]);
      }
    });
  });

  describe('the whole leak test', () => {
    const sum = (count: (asker: Asker) => number) =>
      walks.reduce((total, asker) => total + count(asker), 0);

    test('has a minimum number of queries', () => {
      expect(walks.length).toBeGreaterThanOrEqual(20);
      expect(world.planted.length).toBeGreaterThan(600);
      expect(sum(({ sight }) => sight.lawful.size)).toBeGreaterThan(15_000);
      expect(sum(({ sight }) => sight.forbidden.size)).toBeGreaterThan(50_000);
      expect(sum(({ tally }) => tally.fields)).toBeGreaterThan(10_000);
      expect(sum(({ tally }) => tally.operations)).toBeGreaterThan(20_000);
    });

    test.each(traps)('gets no hidden value in an error %s', async (_name, statement) => {
      const name = 'organization_admin';
      const asker = new Asker(world.server, await world.sightOf(name));
      await setTrap(world.client, 'public.digital_wallet', statement);
      const answers = await asker.ask([{ query: '{ digital_wallet { id } }' }]);
      await removeTrap(world.client, 'public.digital_wallet');
      expect(answers).toMatchObject([{ errors: [{ message: expect.any(String) }] }]);
      expect(asker.takeLeaks()).toEqual([]);
    });

    test.each(roleNames)(
      '%s changes no foreign rows and learns nothing from the attempt',
      async (name) => {
        const asker = walks.find(({ sight }) => sight.role.name === name);
        if (!asker) throw new Error(`${name} has not walked`);
        const schema = await asker.introspect();
        expect(validateSchema(schema)).toEqual([]);
        const all = attempts(schema, world.model, asker.sight);
        const mutations = Object.keys(schema.getMutationType()?.getFields() ?? {});
        const fields = mutations.filter((field) => !isOfPlugin(world.model, field));
        expect([...new Set(all.map(({ field }) => field))]).toEqual(fields);
        expect(all.flatMap(({ query }) => validate(schema, parse(query)))).toEqual([]);
        const before = await readRows(world);
        // Before anything is inserted, for that has the values of rows that do not exist.
        const twins = all.flatMap((one) =>
          one.twin === undefined ? [] : [{ ...one, twin: one.twin }],
        );
        const foreign = await asker.ask(twins);
        const absent = await asker.askDifferent(twins.map(({ twin }) => twin));
        const differ = twins.filter(
          (_, i) => JSON.stringify(foreign[i]) !== JSON.stringify(absent[i]),
        );
        expect(differ.map(({ query }) => query)).toEqual([]);
        const others = await asker.ask(all.filter(({ twin }) => twin === undefined));
        const after = await readRows(world);
        expect(gone(before, after, asker.sight)).toEqual([]);
        await removeOthers(world, before, after);
        const errors = [...foreign, ...others].flatMap((answer) => answer.errors?.[0] ?? []);
        expect(
          errors.filter(({ extensions: { code } }) => !/^(const|perm|not-supported)/.test(code)),
        ).toEqual([]);
        expect(asker.takeLeaks()).toEqual([]);
        tried.push(...all.map((_, i) => errors[i]?.extensions.code ?? 'none'));
      },
    );

    test('has a minimum number of attempted writes', () => {
      expect(tried.length).toBeGreaterThan(1000);
    });

    test('meets every kind of response to a write', () => {
      const answers = ['none', 'constraint-violation', 'not-supported', 'permission-error'];
      expect(new Set(tried)).toEqual(new Set(answers));
    });

    test('leaves no marker in the log', () => {
      // Headers are logged at this level, and are what the caller said.
      const lines = world.log.text.split('\n').filter((line) => line !== '');
      const said = lines.map((line) => JSON.stringify({ ...JSON.parse(line), headers: undefined }));
      // Ten operations make a request at most.
      const requests = said.filter((line) => line.includes('"msg":"request"'));
      expect(requests.length).toBeGreaterThanOrEqual(sum(({ tally }) => tally.operations) / 10);
      expect(said.filter((line) => line.includes('"err"'))).not.toEqual([]);
      const all = new Map(walks.flatMap(({ sight }) => [...sight.forbidden]));
      const found = [...markersIn(said.join('\n'))].filter((key) => all.has(key));
      expect(found.map((key) => all.get(key))).toEqual([]);
    });
  });
});
