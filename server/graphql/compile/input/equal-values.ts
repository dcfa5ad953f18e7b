import { Kind, print, type ValueNode } from 'postgraphile/graphql';

/** Assigns the same number to values of a document that have the same text. It visits each value once, at any depth. */
export class EqualValues {
  readonly #numbers = new Map<string, number>();
  readonly #known = new Map<ValueNode, number>();

  numberOf(node: ValueNode): number {
    const known = this.#known.get(node);
    if (known !== undefined) return known;
    const text = this.#textOf(node);
    const number = this.#numbers.get(text) ?? this.#numbers.size;
    this.#numbers.set(text, number);
    this.#known.set(node, number);
    return number;
  }

  /**
   * Nested values appear as their numbers. Only lists and objects begin with a bracket or brace, so texts stay unique.
   */
  #textOf(node: ValueNode): string {
    if (node.kind === Kind.LIST) {
      return `[${node.values.map((value) => this.numberOf(value)).join()}]`;
    }
    if (node.kind !== Kind.OBJECT) return print(node);
    return `{${node.fields.map(({ name, value }) => `${name.value}:${this.numberOf(value)}`).join()}}`;
  }
}
