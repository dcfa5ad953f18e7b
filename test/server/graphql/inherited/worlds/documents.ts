import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import type { Dice } from './dice.ts';

type Field = GraphQLField<unknown, unknown>;

/** Makes random documents, each with one root field, that are valid in the schema of a role. */
export class Documents {
  readonly #dice: Dice;
  readonly #schema: GraphQLSchema;
  #names = 0;

  constructor(dice: Dice, schema: GraphQLSchema) {
    this.#dice = dice;
    this.#schema = schema;
  }

  queries(count: number): readonly string[] {
    return this.#documents('query', this.#schema.getQueryType(), count);
  }

  mutations(count: number): readonly string[] {
    return this.#documents('mutation', this.#schema.getMutationType(), count);
  }

  #documents(
    operation: string,
    type: GraphQLObjectType | null | undefined,
    count: number,
  ): readonly string[] {
    const fields = Object.values(type?.getFields() ?? {}).filter(
      ({ name }) => !/^(__|no_)/.test(name),
    );
    if (fields.length === 0) return [];
    return Array.from({ length: count }, () => {
      this.#names = 0;
      return `${operation} { ${this.#field(this.#dice.pick(fields), 3)} }`;
    });
  }

  #field(field: Field, depth: number): string {
    const type = getNamedType(field.type);
    const below = isObjectType(type) ? ` ${this.#selection(type, depth - 1)}` : '';
    return `x${this.#names++}: ${field.name}${this.#arguments(field, depth)}${below}`;
  }

  #selection(type: GraphQLObjectType, depth: number): string {
    const fields = Object.values(type.getFields());
    const objects = fields.filter((field) => isObjectType(getNamedType(field.type)));
    const values = fields.filter((field) => !objects.includes(field));
    const chosen = [
      ...this.#dice.some(values, 0.5),
      ...(depth > 0 ? this.#dice.some(objects, 0.35) : []),
    ];
    const enough = chosen.length > 0 || values.length > 0 ? chosen : objects.slice(0, 1);
    const all = enough.map((field) => this.#field(field, depth));
    return `{ ${all.length > 0 ? all.join(' ') : '__typename'} }`;
  }

  #arguments({ args }: Field, depth: number): string {
    const given = args.filter(({ name, type }) => {
      if (name === 'path') return false;
      if (name === '_inc') return false;
      const share = name === '_set' ? 1 : name === 'where' ? 0.45 : 0.3;
      return isNonNullType(type) || this.#dice.chance(share);
    });
    const distinct = given.find(({ name }) => name === 'distinct_on');
    const texts = given.map((one) => this.#argument(one, depth, distinct !== undefined));
    return texts.length > 0 ? `(${texts.filter(Boolean).join(', ')})` : '';
  }

  #argument({ name, type }: GraphQLArgument, depth: number, isDistinct: boolean): string {
    if (name === 'limit' || name === 'offset') return `${name}: ${this.#dice.below(4)}`;
    // The columns of distinct_on must come first in order_by.
    if (name === 'order_by' && isDistinct) return '';
    return `${name}: ${this.#value(type, name === 'where' ? depth + 1 : 2)}`;
  }

  #value(type: GraphQLInputType, depth: number): string {
    if (isNonNullType(type)) return this.#value(type.ofType, depth);
    if (isListType(type)) {
      const length = depth > 0 ? 1 + this.#dice.below(2) : 1;
      return `[${Array.from({ length }, () => this.#value(type.ofType, depth - 1)).join(', ')}]`;
    }
    if (isEnumType(type)) return this.#dice.pick(type.getValues()).name;
    // Rows with most of these keys do not exist, so most inserts succeed.
    if (type.name.endsWith('_insert_input')) return `{ id: ${8 + this.#dice.below(9)}, w: 1 }`;
    if (isInputObjectType(type)) return this.#object(Object.values(type.getFields()), depth);
    if (type.name === 'Boolean') return String(this.#dice.chance(0.5));
    return type.name === 'String' ? '"1%"' : String(this.#dice.below(6));
  }

  /**
   * Writes an input object with the required fields, or with one random field. At the last level it avoids nested objects.
   */
  #object(
    fields: readonly { readonly name: string; readonly type: GraphQLInputType }[],
    depth: number,
  ): string {
    const isDeep = ({ type }: (typeof fields)[number]) => {
      const { name } = getNamedType(type);
      return isInputObjectType(getNamedType(type)) && !name.endsWith('_comparison_exp');
    };
    const required = fields.filter(({ name, type }) => isNonNullType(type) || name === '_set');
    const flat = fields.filter((field) => !isDeep(field));
    const possible = depth > 0 || (flat.length === 0 && depth > -3) ? fields : flat;
    const more = possible.length > 0 ? [this.#dice.pick(possible)] : [];
    const chosen = required.length > 0 ? required : more;
    const all = chosen.map(({ name, type }) => `${name}: ${this.#value(type, depth - 1)}`);
    return `{ ${all.join(', ')} }`;
  }
}
